import type { Profile } from './profile.ts';

/** The name of the scheme of Sluice beside those of the presets. A source without a sender has it. */
export const OWN_PRESET = 'sluice';

/** What sends to a source, as stored and published. A source without it has the scheme of Sluice. */
export interface Sender {
  /** The name of the preset that the profile came from (presets.ts). A profile that an admin wrote has that of its kind. */
  readonly preset: string;
  /** The profile. It stays when a later release changes the preset. */
  readonly verify: Profile;
  /** How its bodies become actions: a mapping (mapping.ts) as JSON, because keys of its tables may not be those of a document. Absent: they are actions. */
  readonly mapping?: string;
  /** The number of the mapping, from 1 on. Absent: the source has had none since it has another sender. */
  readonly mapping_version?: number;
}
