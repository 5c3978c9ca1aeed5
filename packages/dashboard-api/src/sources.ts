import { BODY_STORAGES } from '@sluice/contract/body-storage';
import { OVERLAPS } from '@sluice/contract/overlap';
import * as z from 'zod';
import { instantText, nameInput } from './common.ts';

/** A source as everybody in the account may see it: without its signing secret. */
export const source = z.object({
  source_id: z.string(),
  name: z.string(),
  endpoint_url: z.string(),
  active: z.boolean(),
  created_at: instantText,
  /** null: the signing secret is the first one. */
  secret_rotated_at: instantText.nullable(),
  /** Until then the secret before is accepted too; null: it is not. */
  overlap_until: instantText.nullable(),
  /** Of which signed requests the bodies are kept (up to 64 KiB, as long as the delivery log). */
  body_storage: z.enum(BODY_STORAGES),
  /** What holds for it, its own or the installation's default. */
  rate_per_second: z.number(),
  rate_burst: z.number(),
});
export type Source = z.infer<typeof source>;

/** Requests in one hour; hours without any are there too, with zeros. */
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

export const newSource = z.object({ name: nameInput });
export type NewSource = z.input<typeof newSource>;

/** A new source with its signing secret. */
export const sourceCreated = z.object({ source, signing_secret: z.string() });
export type SourceCreated = z.infer<typeof sourceCreated>;

export const sourceSecret = z.object({ signing_secret: z.string() });
export type SourceSecret = z.infer<typeof sourceSecret>;

/**
 * First stage of a rotation: a new secret to configure in the sender, not active yet. Nothing is changed until it is
 * confirmed with the token, so a dialog that is closed here has changed nothing.
 */
export const rotationPrepared = z.object({
  signing_secret: z.string(),
  rotation_token: z.string(),
  /** The token is worth nothing after this. */
  expires_at: instantText,
  /** How much the current secret is in use: accepted requests in 24 hours, and the last delivery. */
  accepted_24h: z.number(),
  last_delivery_at: instantText.nullable(),
});
export type RotationPrepared = z.infer<typeof rotationPrepared>;

/**
 * Second stage: from the answer on the old secret gets 401, or once the overlap is over where one is asked for.
 * 409 `rotation_stale`: rotated meanwhile, or too late.
 */
export const confirmRotation = z.object({
  rotation_token: z.string().max(2000),
  overlap: z.enum(OVERLAPS).optional(),
});
export type ConfirmRotation = z.infer<typeof confirmRotation>;

/** How many, and when the last came; of those beyond 100 a minute, which get no row each, the minute. */
const refusedRequests = z.object({ count: z.number(), last_at: instantText.nullable() });

/** How a rotation went, for the dialog to look at again and again. */
export const rotationCheck = z.object({
  rotated_at: instantText.nullable(),
  /** Until then the old secret is accepted too; null: it is not. */
  overlap_until: instantText.nullable(),
  /** The first request since then that was accepted with the current secret; null: none yet. */
  first_accepted_at: instantText.nullable(),
  /** The last request that was accepted with the old secret, during the overlap; null: none. */
  old_accepted_at: instantText.nullable(),
  /** Requests refused because they were signed with the old secret, for as long as it is recognised (24 hours). */
  old_refused: refusedRequests,
  /** Likewise of requests whose signature fits neither secret. */
  neither_refused: refusedRequests,
});
export type RotationCheck = z.infer<typeof rotationCheck>;

/** Switches a source on or off; off, its requests get 403 from the answer on. */
export const setActive = z.object({ active: z.boolean() });
export type SetActive = z.infer<typeof setActive>;

const RATE_MAX = 1_000_000;

/** Fields that are absent stay as they are. A rate of null is the installation's default. */
export const sourceSettings = z
  .object({
    name: nameInput.optional(),
    body_storage: z.enum(BODY_STORAGES).optional(),
    rate_per_second: z.number().int().min(1).max(RATE_MAX).nullable().optional(),
    rate_burst: z.number().int().min(1).max(RATE_MAX).nullable().optional(),
  })
  .refine(
    (settings) => Object.values(settings).some((value) => value !== undefined),
    'Names no setting to change.',
  );
export type SourceSettings = z.input<typeof sourceSettings>;
