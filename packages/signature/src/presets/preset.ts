import { type Profile, type ProfileInput, readProfile } from '../sender/profile.ts';

/** How a known platform sends its requests. */
export interface Preset {
  /** For people. */
  readonly title: string;
  readonly verify: Profile;
}

/** Declares a preset. Throws for a profile that would be rejected if an admin sent it. */
export function preset(title: string, verify: ProfileInput): Preset {
  const read = readProfile(verify);
  if (read.outcome === 'valid') return { title, verify: read.profile };
  throw new Error(`${title}: ${JSON.stringify(read.errors)}`);
}
