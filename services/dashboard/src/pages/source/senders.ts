import { SET_UP, type SetUp } from '@sluice/signature/presets/set-up';
import { OWN_PRESET } from '@sluice/signature/sender/sender';

/** What can send to a source, for a select. */
export const SENDER_CHOICES = [
  { value: OWN_PRESET, label: 'My own code' },
  ...Object.entries(SET_UP).map(([value, { title }]) => ({ value, label: title })),
];

/** The platform that sends to a source; undefined: code that signs by the scheme of Sluice. */
export function setUpOf(preset: string): SetUp | undefined {
  return Object.hasOwn(SET_UP, preset) ? SET_UP[preset as keyof typeof SET_UP] : undefined;
}
