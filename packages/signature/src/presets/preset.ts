import { type Mapping, type MappingInput, readMapping } from '../mapping/mapping.ts';
import { type Profile, type ProfileInput, readProfile } from '../sender/profile.ts';

/** How a known platform sends its requests. */
export interface Preset {
  /** For people. */
  readonly title: string;
  readonly verify: Profile;
  /** How its bodies become actions. Absent: they are actions. Without rules all bodies are ignored, until an admin writes some. */
  readonly mapping?: Mapping;
}

/** The mapping of a platform whose bodies do not say what an event is. An admin has to choose it. */
export const NO_RULES: MappingInput = { rules: [] };

/** Declares a preset. Throws for a profile or a mapping that would be rejected if an admin sent it. */
export function preset(title: string, verify: ProfileInput, mapping?: MappingInput): Preset {
  const profile = readProfile(verify);
  if (profile.outcome === 'invalid') throw new Error(`${title}: ${JSON.stringify(profile.errors)}`);
  if (mapping === undefined) return { title, verify: profile.profile };
  const read = readMapping(mapping);
  if (read.outcome === 'invalid') throw new Error(`${title}: ${JSON.stringify(read.errors)}`);
  return { title, verify: profile.profile, mapping: read.mapping };
}
