import { OVERLAPS } from '@sluice/contract/account/overlap';
import * as z from 'zod';
import { source } from './sources.ts';

/** What sends to a source, without its secret. */
export const sourceSender = z.object({
  /** The name of a preset; `sluice`: the scheme of Sluice. */
  preset: z.string(),
  /** How its requests are verified: a profile; null: by the scheme of Sluice. */
  profile: z.record(z.string(), z.unknown()).nullable(),
  /** How its bodies become actions; null: they are actions. */
  mapping: z.record(z.string(), z.unknown()).nullable(),
  /** The number of the mapping; null: the source has never had one. */
  mapping_version: z.number().nullable(),
  /** The mapping that comes with the preset; null: none. */
  preset_mapping: z.record(z.string(), z.unknown()).nullable(),
});
export type SourceSender = z.infer<typeof sourceSender>;

/** A longer one gets the same error as one of 513 characters. */
const secretInput = z.string().max(2000);

/** Replaces the signing secret by one that the sender has made. 400 `validation_failed` if the sender cannot have made it. */
export const pasteSecret = z.object({ secret: secretInput, overlap: z.enum(OVERLAPS).optional() });
export type PasteSecret = z.input<typeof pasteSecret>;

/**
 * Replaces what sends to a source: by a preset, or by a profile for a sender without one. Once the response arrives, only the new
 * sender is accepted. 400 `validation_failed` has pointers into the profile.
 */
export const changeSender = z.object({
  preset: z.string().max(40).optional(),
  profile: z.record(z.string(), z.unknown()).optional(),
  /** The secret that the sender has made. Absent: the current one stays if the sender can use it. */
  secret: secretInput.optional(),
});
export type ChangeSender = z.input<typeof changeSender>;

export const senderChanged = z.object({
  source,
  /** The secret that was made because the sender cannot use the current one. */
  new_secret: z.string().nullable(),
});
export type SenderChanged = z.infer<typeof senderChanged>;

/** Replaces the mapping of a source; null: by that of its preset, or by none. 400 `validation_failed` has pointers into the mapping. */
export const changeMapping = z.object({ mapping: z.record(z.string(), z.unknown()).nullable() });
export type ChangeMapping = z.input<typeof changeMapping>;
