import { OVERLAPS } from '@sluice/contract/account/overlap';
import * as z from 'zod';
import { instantText } from './common.ts';
import { newSource, source, sourceSettings, sourceWithActivity } from './sources.ts';

const channelShape = {
  channel_id: z.string(),
  /** Replies of agents and integrations are sent here; null: there is none. */
  reply_url: z.string().nullable(),
  /** A conversation that no lead matches makes one. */
  makes_leads: z.boolean(),
  /** Replies are signed with an older secret too until then; null: with the current one alone. */
  reply_overlap_until: instantText.nullable(),
};

/** A channel: a source of conversations. Without its secrets, as every member of the account may see it. */
export const channel = source.omit({ source_id: true, sender: true }).extend(channelShape);
export type Channel = z.infer<typeof channel>;

export const channelWithActivity = sourceWithActivity
  .omit({ source_id: true, sender: true })
  .extend(channelShape);
export type ChannelWithActivity = z.infer<typeof channelWithActivity>;

export const channelList = z.object({ items: z.array(channelWithActivity) });
export type ChannelList = z.infer<typeof channelList>;

export const newChannel = newSource;
export type NewChannel = z.input<typeof newChannel>;

/** A new channel with the secret that signs its requests. */
export const channelCreated = z.object({ channel, signing_secret: z.string() });
export type ChannelCreated = z.infer<typeof channelCreated>;

/** Shown before a channel is deleted. */
export const channelDeletion = z.object({
  /** Its conversations, counted up to 10,000. */
  conversations: z.object({ count: z.number(), more: z.boolean() }),
});
export type ChannelDeletion = z.infer<typeof channelDeletion>;

/**
 * Deletes a channel permanently. Once the response arrives, its URL responds with 404 and no reply is sent any more. Its
 * conversations are kept, or deleted within minutes. Repeating it is safe, and may ask to delete conversations that were kept.
 */
export const deleteChannel = z.object({ conversations: z.enum(['keep', 'delete']) });
export type DeleteChannel = z.infer<typeof deleteChannel>;

/** The secret that verifies replies (Standard Webhooks). 409 `conflict`: the channel has no reply URL yet. */
export const replySecret = z.object({ reply_secret: z.string() });
export type ReplySecret = z.infer<typeof replySecret>;

/** How long replies are signed with the old secret too. */
export const replySecretRotation = z.object({ overlap: z.enum(OVERLAPS) });
export type ReplySecretRotation = z.input<typeof replySecretRotation>;

/** The new secret of replies. */
export const replySecretRotated = z.object({ channel, reply_secret: z.string() });
export type ReplySecretRotated = z.infer<typeof replySecretRotated>;

const { external_ids: _, ...shared } = sourceSettings.shape;

/** Absent fields stay unchanged. A `reply_url` of null removes it. */
export const channelSettings = z
  .object({
    reply_url: z.string().max(4000).nullable().optional(),
    makes_leads: z.boolean().optional(),
    ...shared,
  })
  .refine(
    (settings) => Object.values(settings).some((value) => value !== undefined),
    'No setting to change. Send at least one setting.',
  );
export type ChannelSettings = z.input<typeof channelSettings>;
