import type { FieldError } from '@sluice/contract/problem/problem';
import { readProfile } from '../sender/profile.ts';
import { OWN_PRESET, type Sender } from '../sender/sender.ts';
import { isPreset, PRESET_NAMES, senderOf } from './presets.ts';

export interface SenderChoice {
  readonly preset?: string | undefined;
  /** A profile as an admin has sent it, for a sender without a preset. */
  readonly profile?: unknown;
}

export type ReadSender =
  /** Null: the scheme of Sluice. */
  | { readonly outcome: 'valid'; readonly sender: Sender | null }
  | { readonly outcome: 'invalid'; readonly errors: readonly FieldError[] };

/** Reads what sends to a source, as an admin has chosen it. Pointers are `/preset`, or begin with `/profile`. */
export function readSender({ preset, profile }: SenderChoice): ReadSender {
  if (preset === undefined && profile === undefined)
    return invalid('/preset', 'Choose a preset, or send a profile.');
  if (preset === OWN_PRESET && profile !== undefined)
    return invalid('/profile', `The preset ${OWN_PRESET} has no profile.`);
  if (preset === OWN_PRESET) return { outcome: 'valid', sender: null };
  if (preset !== undefined && !isPreset(preset))
    return invalid('/preset', `Not known. Choose one of: ${[...PRESET_NAMES, OWN_PRESET].join(', ')}.`);
  if (profile === undefined && preset !== undefined) return { outcome: 'valid', sender: senderOf(preset) };
  const read = readProfile(profile);
  if (read.outcome === 'valid') {
    const known = preset === undefined ? { preset: read.profile.kind } : senderOf(preset);
    return { outcome: 'valid', sender: { ...known, verify: read.profile } };
  }
  const errors = read.errors.map(({ pointer, detail }) => ({ pointer: `/profile${pointer}`, detail }));
  return { outcome: 'invalid', errors };
}

function invalid(pointer: string, detail: string): ReadSender {
  return { outcome: 'invalid', errors: [{ pointer, detail }] };
}
