import type { Overlap } from '@sluice/contract/overlap';

/** How long an old secret or key still works after a rotation. */
export const OVERLAP_CHOICES: { readonly value: Overlap; readonly label: string }[] = [
  { value: '0', label: 'Stops working now' },
  { value: '1h', label: 'Works for 1 more hour' },
  { value: '24h', label: 'Works for 24 more hours' },
];
