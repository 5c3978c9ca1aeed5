import type { Sender } from '@sluice/signature/sender/sender';
import { isSet, nativeSchema } from '../writing/native-collection.ts';
import {
  type DocumentOf,
  storedRecord,
  type WithDates,
  withDates,
  withTimes,
} from '../writing/stored-record.ts';
import type { DeletedEvents, PreviousReplySecret, PreviousSecret, Source, SourceChange } from './source.ts';

const SOURCE = storedRecord<Source>()('source_id', ['created_at', 'secret_rotated_at', 'renamed_at']);
const PREVIOUS_TIMES = ['replaced_at', 'accepted_until', 'forget_at'] as const;
const REPLY_TIMES = ['expires_at'] as const;

/** A document of the collection `sources`. */
export interface SourceDocument
  extends Omit<
    DocumentOf<typeof SOURCE>,
    'previous_secret' | 'previous_reply_secrets' | 'deleted' | 'sender' | 'schema_version'
  > {
  readonly schema_version: number;
  /** Absent or null if there is none. */
  readonly previous_secret?: WithDates<PreviousSecret, (typeof PREVIOUS_TIMES)[number]> | null;
  readonly previous_reply_secrets?: readonly WithDates<PreviousReplySecret, (typeof REPLY_TIMES)[number]>[];
  readonly sender?: Sender | null;
  readonly deleted_at?: Date;
  readonly deleted_events?: DeletedEvents;
  /** When to remove what a deleted source left behind. Absent: nothing is left. */
  readonly sweep_at?: Date;
}

export function sourceSchema() {
  return nativeSchema<SourceDocument>()
    .index({ account_id: 1, created_at: 1 })
    .index({ created_at: 1 })
    .index(
      { 'previous_secret.forget_at': 1 },
      { partialFilterExpression: { 'previous_secret.forget_at': { $type: 'date' } } },
    )
    .index({ sweep_at: 1 }, isSet('sweep_at'));
}

/** A list by change has a source by this time, also a new one. */
export const RENAMED_NOW = { $currentDate: { renamed_at: true } } as const;

/** The update that stores a change. The time of a rename is that of the server's clock (changed-since.ts). */
export function updateOf(change: SourceChange) {
  const renamed = 'name' in change && change.name !== undefined;
  return { $set: storedFields(change), ...(renamed && RENAMED_NOW) };
}

type Fields = Partial<Omit<Source, 'source_id' | 'renamed_at' | 'sender'>> & { sender?: Sender | null };

/** The stored form of some fields of a source. */
export function storedFields({ deleted, previous_secret: previous, ...fields }: Fields) {
  const { previous_reply_secrets: replies, ...rest } = fields;
  const deleted_at = deleted && new Date(deleted.at);
  return {
    ...withDates(rest, ['created_at', 'secret_rotated_at']),
    ...(previous !== undefined && { previous_secret: previous && withDates(previous, PREVIOUS_TIMES) }),
    ...(replies && { previous_reply_secrets: toStoredReplies(replies) }),
    ...(deleted && { deleted_at, deleted_events: deleted.events, sweep_at: deleted_at }),
  };
}

export function toStoredReplies(secrets: readonly PreviousReplySecret[]) {
  return secrets.map((secret) => withDates(secret, REPLY_TIMES));
}

export function fromDocument({
  previous_secret: previous,
  previous_reply_secrets: replies = [],
  sender,
  deleted_at,
  deleted_events: events = 'keep',
  sweep_at: _,
  ...document
}: SourceDocument): Source {
  const { kind, reply_url = null, makes_leads = false } = document;
  return SOURCE.fromDocument({
    ...document,
    schema_version: 1,
    previous_secret: previous ? withTimes(previous, PREVIOUS_TIMES) : null,
    ...(deleted_at && { deleted: { at: deleted_at.getTime(), events } }),
    ...(sender && { sender }),
    ...(kind === 'channel' && { reply_url, makes_leads }),
    ...(replies.length > 0 && {
      previous_reply_secrets: replies.map((secret) => withTimes(secret, REPLY_TIMES)),
    }),
  });
}
