import { SET_UP } from '@sluice/signature/presets/set-up';
import { OWN_PRESET } from '@sluice/signature/sender/sender';

/** What can send to a source, for a select. */
export const SENDER_CHOICES = [
  { value: OWN_PRESET, label: 'My own code' },
  ...Object.entries(SET_UP).map(([value, { title }]) => ({ value, label: title })),
];
