import { BODY_STORAGES } from '@sluice/contract/delivery/body-storage';
import type { Sender } from '@sluice/signature/sender/sender';
import { Schema } from 'mongoose';
import { isSet } from '../writing/native-collection.ts';
import type { DeletedEvents, PreviousReplySecret, PreviousSecret, Source, SourceChange } from './source.ts';

/** A document of the collection `sources`. */
export interface SourceDocument
  extends Omit<
    Source,
    | 'source_id'
    | 'created_at'
    | 'secret_rotated_at'
    | 'renamed_at'
    | 'previous_secret'
    | 'previous_reply_secrets'
    | 'deleted'
    | 'sender'
  > {
  readonly _id: string;
  readonly schema_version: number;
  readonly created_at: Date;
  readonly secret_rotated_at: Date | null;
  readonly renamed_at?: Date;
  /** Absent or null if there is none. */
  readonly previous_secret?: StoredPrevious | null;
  readonly previous_reply_secrets?: readonly StoredReplySecret[];
  readonly sender?: Sender | null;
  readonly deleted_at?: Date;
  readonly deleted_events?: DeletedEvents;
  /** When to remove what a deleted source left behind. Absent: nothing is left. */
  readonly sweep_at?: Date;
}

interface StoredReplySecret {
  readonly sealed_secret: string;
  readonly expires_at: Date;
}

interface StoredPrevious {
  readonly sealed_secret: string;
  readonly replaced_at: Date;
  readonly accepted_until: Date | null;
  readonly forget_at: Date;
}

const previousSchema = new Schema<StoredPrevious>(
  {
    sealed_secret: { type: String, required: true },
    replaced_at: { type: Date, required: true },
    accepted_until: { type: Date, default: null },
    forget_at: { type: Date, required: true },
  },
  { _id: false, strict: 'throw' },
);

const replySecretSchema = new Schema<StoredReplySecret>(
  { sealed_secret: { type: String, required: true }, expires_at: { type: Date, required: true } },
  { _id: false, strict: 'throw' },
);

export function sourceSchema() {
  return new Schema<SourceDocument>(
    {
      _id: { type: String, required: true },
      schema_version: { type: Number, required: true, default: 1 },
      account_id: { type: String, required: true },
      name: { type: String, required: true },
      active: { type: Boolean, required: true },
      sealed_secret: { type: String, required: true },
      version: { type: Number, required: true },
      rate_per_second: { type: Number, default: null },
      rate_burst: { type: Number, default: null },
      body_storage: { type: String, enum: BODY_STORAGES, required: true },
      external_ids: { type: Boolean },
      created_at: { type: Date, required: true },
      secret_rotated_at: { type: Date, default: null },
      renamed_at: { type: Date },
      previous_secret: { type: previousSchema },
      // Its form is checked before it is stored (signature: profile.ts).
      sender: { type: Schema.Types.Mixed },
      kind: { type: String, enum: ['channel'] },
      reply_url: { type: String },
      sealed_reply_secret: { type: String },
      // Without a default: mongoose would store an empty list with each source.
      previous_reply_secrets: { type: [replySecretSchema], default: undefined },
      makes_leads: { type: Boolean },
      deleted_at: { type: Date },
      deleted_events: { type: String, enum: ['keep', 'delete'] },
      sweep_at: { type: Date },
    },
    { versionKey: false, strict: 'throw' },
  )
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
  return { $set: fieldsOf(change), ...(renamed && RENAMED_NOW) };
}

/** The stored fields of a change. */
function fieldsOf(change: SourceChange) {
  if ('deleted' in change) {
    const { deleted, ...rest } = change;
    const at = new Date(deleted.at);
    return { ...rest, deleted_at: at, deleted_events: deleted.events, sweep_at: at };
  }
  return {
    ...change,
    ...('secret_rotated_at' in change && { secret_rotated_at: new Date(change.secret_rotated_at) }),
    ...('previous_secret' in change && {
      previous_secret: change.previous_secret ? toStored(change.previous_secret) : null,
    }),
    ...('previous_reply_secrets' in change && {
      previous_reply_secrets: toStoredReplies(change.previous_reply_secrets),
    }),
  };
}

export function toStoredReplies(secrets: readonly PreviousReplySecret[]): StoredReplySecret[] {
  return secrets.map(({ sealed_secret, expires_at }) => ({
    sealed_secret,
    expires_at: new Date(expires_at),
  }));
}

export function toStored({
  sealed_secret,
  replaced_at,
  accepted_until,
  forget_at,
}: PreviousSecret): StoredPrevious {
  const dates = { replaced_at: new Date(replaced_at), forget_at: new Date(forget_at) };
  return { sealed_secret, ...dates, accepted_until: dateOrNull(accepted_until) };
}

function fromStored({
  sealed_secret,
  replaced_at,
  accepted_until,
  forget_at,
}: StoredPrevious): PreviousSecret {
  const times = { replaced_at: replaced_at.getTime(), forget_at: forget_at.getTime() };
  return { sealed_secret, ...times, accepted_until: accepted_until?.getTime() ?? null };
}

export function dateOrNull(epochMs: number | null): Date | null {
  return epochMs === null ? null : new Date(epochMs);
}

export function fromDocument({
  _id,
  created_at,
  secret_rotated_at,
  renamed_at,
  previous_secret,
  deleted_at,
  ...rest
}: SourceDocument): Source {
  const { account_id, name, active, sealed_secret, version, rate_per_second, rate_burst, body_storage } =
    rest;
  return {
    source_id: _id,
    account_id,
    name,
    active,
    sealed_secret,
    version,
    rate_per_second,
    rate_burst,
    body_storage,
    created_at: created_at.getTime(),
    secret_rotated_at: secret_rotated_at?.getTime() ?? null,
    ...(renamed_at && { renamed_at: renamed_at.getTime() }),
    previous_secret: previous_secret ? fromStored(previous_secret) : null,
    ...(deleted_at && { deleted: { at: deleted_at.getTime(), events: rest.deleted_events ?? 'keep' } }),
    ...(rest.external_ids !== undefined && { external_ids: rest.external_ids }),
    ...(rest.sender && { sender: rest.sender }),
    ...(rest.kind === 'channel' && channelFields(rest)),
  };
}

function channelFields({
  reply_url,
  sealed_reply_secret,
  previous_reply_secrets: previous = [],
  makes_leads,
}: Partial<SourceDocument>) {
  return {
    kind: 'channel' as const,
    reply_url: reply_url ?? null,
    makes_leads: makes_leads ?? false,
    ...(sealed_reply_secret !== undefined && { sealed_reply_secret }),
    ...(previous.length > 0 && {
      previous_reply_secrets: previous.map(({ sealed_secret, expires_at }) => ({
        sealed_secret,
        expires_at: expires_at.getTime(),
      })),
    }),
  };
}
