import { formatInstant } from '@sluice/contract/time/instant';

/** Formats an instant for a response; null stays null. */
export function instantOrNull(epochMs: number | null | undefined): string | null {
  return epochMs === null || epochMs === undefined ? null : formatInstant(epochMs);
}
