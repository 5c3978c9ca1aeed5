import { OVERLAPS } from '@sluice/contract/account/overlap';
import { BODY_STORAGES } from '@sluice/contract/delivery/body-storage';
import * as z from 'zod';
import { instantText, nameInput } from './common.ts';

/** A source as every member of the account may see it, without its signing secret. */
export const source = z.object({
  source_id: z.string(),
  name: z.string(),
  endpoint_url: z.string(),
  active: z.boolean(),
  created_at: instantText,
  /** null: the secret was never rotated. */
  secret_rotated_at: instantText.nullable(),
  /** When the previous secret stops being accepted; null: it is not accepted. */
  overlap_until: instantText.nullable(),
  /** Selects the signed requests whose bodies are stored (up to 64 KiB each, as long as the delivery log). */
  body_storage: z.enum(BODY_STORAGES),
  /** The effective limits: the source's setting or the installation's default. */
  rate_per_second: z.number(),
  rate_burst: z.number(),
  /** The preset of what sends to it; `sluice`: the scheme of Sluice. */
  sender: z.string(),
  /** Whether its bodies may have `external_id`. Absent: it is a channel. */
  external_ids: z.boolean().optional(),
});
export type Source = z.infer<typeof source>;

/** Requests in one hour. Hours without requests are included with zeros. */
export const activityHour = z.object({ at: instantText, accepted: z.number(), refused: z.number() });
export type ActivityHour = z.infer<typeof activityHour>;

/** A row of the sources list. */
export const sourceWithActivity = source.extend({
  /** The last 24 hours, oldest first: 24 entries. */
  activity: z.array(activityHour),
  accepted_24h: z.number(),
  refused_24h: z.number(),
  last_delivery_at: instantText.nullable(),
});
export type SourceWithActivity = z.infer<typeof sourceWithActivity>;

export const sourceList = z.object({ items: z.array(sourceWithActivity) });
export type SourceList = z.infer<typeof sourceList>;

/** `sender`: the preset of what sends to it; absent: the scheme of Sluice. */
export const newSource = z.object({ name: nameInput, sender: z.string().max(40).optional() });
export type NewSource = z.input<typeof newSource>;

/** A new source with its signing secret. */
export const sourceCreated = z.object({ source, signing_secret: z.string() });
export type SourceCreated = z.infer<typeof sourceCreated>;

export const sourceSecret = z.object({ signing_secret: z.string() });
export type SourceSecret = z.infer<typeof sourceSecret>;

/**
 * First stage of a rotation: returns a new secret to configure in the sender. Nothing changes until the rotation is
 * confirmed with the token, so closing the dialog here is safe.
 */
export const rotationPrepared = z.object({
  signing_secret: z.string(),
  rotation_token: z.string(),
  /** The token is invalid after this instant. */
  expires_at: instantText,
  /** Use of the current secret: accepted requests in 24 hours, and the last delivery. */
  accepted_24h: z.number(),
  last_delivery_at: instantText.nullable(),
});
export type RotationPrepared = z.infer<typeof rotationPrepared>;

/**
 * Second stage. Requests signed with the old secret get 401 once the response arrives, or once the overlap ends.
 * 409 `rotation_stale`: the secret was rotated in between, or the token expired.
 */
export const confirmRotation = z.object({
  rotation_token: z.string().max(2000),
  overlap: z.enum(OVERLAPS).optional(),
});
export type ConfirmRotation = z.infer<typeof confirmRotation>;

/** Count and time of the last one. Beyond 100 a minute requests get no row each, so the time is the minute. */
const refusedRequests = z.object({ count: z.number(), last_at: instantText.nullable() });

/** How a rotation is going. The dialog polls this. */
export const rotationCheck = z.object({
  rotated_at: instantText.nullable(),
  /** When the old secret stops being accepted; null: it is not accepted. */
  overlap_until: instantText.nullable(),
  /** The first request since the rotation that was accepted with the current secret; null: none yet. */
  first_accepted_at: instantText.nullable(),
  /** The last request that was accepted with the old secret during the overlap; null: none. */
  old_accepted_at: instantText.nullable(),
  /** Requests rejected for the old secret, for as long as it is recognised (24 hours). */
  old_refused: refusedRequests,
  /** Requests rejected because their signature fits neither secret, over the same time. */
  neither_refused: refusedRequests,
});
export type RotationCheck = z.infer<typeof rotationCheck>;

/** Switches a source on or off. Once the response arrives, requests of an inactive source get 403. */
export const setActive = z.object({ active: z.boolean() });
export type SetActive = z.infer<typeof setActive>;

/** Shown before a source is deleted. */
export const sourceDeletion = z.object({
  /** Its events, counted up to 10,000. */
  events: z.object({ count: z.number(), more: z.boolean() }),
});
export type SourceDeletion = z.infer<typeof sourceDeletion>;

/**
 * Deletes a source permanently. Once the response arrives, its URL responds with 404. Its events are kept, or deleted within
 * minutes. Repeating it is safe, and may ask to delete events that were kept.
 */
export const deleteSource = z.object({ events: z.enum(['keep', 'delete']) });
export type DeleteSource = z.infer<typeof deleteSource>;

/** The most requests a second, and in a burst, that an operator may give a source on the command line. */
export const RATE_MAX = 1_000_000;

/** The most that an admin may give the sources of the account: ten times the defaults. */
const OWN_RATE_MAX = 1_000;
const OWN_BURST_MAX = 10_000;

function ownRate(most: number) {
  const error = `At most ${most}. Ask the operator for more.`;
  return z.number().int().min(1).max(most, { error }).nullable().optional();
}

/** Absent fields stay unchanged. A rate of null means the installation's default. */
export const sourceSettings = z
  .object({
    name: nameInput.optional(),
    body_storage: z.enum(BODY_STORAGES).optional(),
    rate_per_second: ownRate(OWN_RATE_MAX),
    rate_burst: ownRate(OWN_BURST_MAX),
    external_ids: z.boolean().optional(),
  })
  .refine(
    (settings) => Object.values(settings).some((value) => value !== undefined),
    'No setting to change. Send at least one setting.',
  );
export type SourceSettings = z.input<typeof sourceSettings>;
