import type { Connection, mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW } from '../changed-since.ts';
import { connectedDb } from '../connection/connected-db.ts';
import type { ConversationDocument } from '../conversations/conversation-document.ts';
import { NO_ACCOUNT } from '../conversations/deleted-conversations.ts';
import { isAbout, mentionOf } from './rejected-bodies.ts';

/** The traces of an erased lead in other collections. Times are milliseconds since the Unix epoch. */
export interface ErasedTraces {
  /**
   * Removes what the lead's conversations had until the erasure: contact, session data, messages, pending changes, and the
   * stored requests of their deliveries. Actions that were accepted before it have no effect any more. Idempotent.
   */
  removeConversations(accountId: string, leadId: string, erasedAt: number): Promise<void>;
  /** Removes stored bodies of rejected requests that name one of the lead's conversations. Reads the log of their channels. */
  removeRejected(accountId: string, leadId: string, erasedAt: number): Promise<void>;
  /** Also those of deleted channels, without an external id. */
  linkedConversations(accountId: string, leadId: string): Promise<readonly LinkedConversation[]>;
  /** When the leads of these conversations were erased (ms since the Unix epoch). Only of those that were. */
  erasedAt(conversationIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A conversation of a lead. */
export interface LinkedConversation {
  readonly conversation_id: string;
  readonly channel_id: string;
  readonly external_id: string;
}

interface LinkedDocument {
  readonly _id: string;
  readonly channel_id: string;
  readonly external_id: string;
  readonly lead_id?: string;
}

interface RejectedDocument {
  readonly _id: string;
  readonly request?: { readonly body?: string };
}

interface Tombstone {
  readonly _id: string;
  readonly erased_at?: Date;
}

const WITHOUT_CONTENT = { $unset: { request: 1 }, $set: { title: null } } as const;

export function createErasedTraces(connection: Connection): ErasedTraces {
  const of = <T extends mongo.Document>(name: string) => connectedDb(connection).collection<T>(name);
  return {
    async removeConversations(account_id, lead_id, erasedAt) {
      const until = lastSequence(erasedAt);
      const linked = of<LinkedDocument>('conversations').find({ account_id, lead_id });
      for await (const { _id, channel_id } of linked.project<LinkedDocument>({ channel_id: 1 })) {
        // First the record: a write that has loaded it before fails, and later ones leave out what was erased.
        while (!(await eraseContent(of('conversations'), _id, until)));
        await of('conversation_messages').deleteMany({ conversation_id: _id, sequence: { $lte: until } });
        await of('deliveries').updateMany(
          { source_id: channel_id, conversation_id: _id, sequence: { $lte: until } },
          WITHOUT_CONTENT,
        );
      }
    },
    async removeRejected(account_id, lead_id, erasedAt) {
      const linked = of<LinkedDocument>('conversations').find({ account_id, lead_id });
      for await (const { channel_id, external_id } of linked)
        await removeBodies(of<RejectedDocument>('deliveries'), { channel_id, external_id, erasedAt });
    },
    async linkedConversations(account_id, lead_id) {
      const wanted = { account_id: { $in: [account_id, NO_ACCOUNT] }, lead_id };
      const linked = of<LinkedDocument>('conversations').find(wanted);
      const found = await linked.project<LinkedDocument>({ channel_id: 1, external_id: 1 }).toArray();
      return found.map(({ _id, ...rest }) => ({ conversation_id: _id, ...rest }));
    },
    async erasedAt(conversationIds) {
      const linked = await of<LinkedDocument>('conversations')
        .find({ _id: { $in: [...conversationIds] }, lead_id: { $exists: true } })
        .project<LinkedDocument>({ lead_id: 1 })
        .toArray();
      const leadIds = [...new Set(linked.flatMap(({ lead_id }) => lead_id ?? []))];
      if (leadIds.length === 0) return new Map();
      const erased = await of<Tombstone>('leads')
        .find({ _id: { $in: leadIds }, erased_at: { $exists: true } })
        .project<Tombstone>({ erased_at: 1 })
        .toArray();
      const times = new Map(erased.map(({ _id, erased_at }) => [_id, erased_at?.getTime() ?? 0]));
      return new Map(
        linked.flatMap(({ _id, lead_id = '' }): [string, number][] => {
          const at = times.get(lead_id);
          return at === undefined ? [] : [[_id, at]];
        }),
      );
    },
  };
}

/** Removes the stored bodies of a channel's rejected requests that are about a conversation. */
async function removeBodies(
  deliveries: mongo.Collection<RejectedDocument>,
  { channel_id, external_id, erasedAt }: Omit<LinkedConversation, 'conversation_id'> & { erasedAt: number },
): Promise<void> {
  const mentions = {
    source_id: channel_id,
    outcome: 'rejected',
    received_at: { $lte: new Date(erasedAt) },
    'request.body': { $regex: mentionOf(external_id) },
  } as mongo.Filter<RejectedDocument>;
  for await (const { _id, request } of deliveries.find(mentions).project<RejectedDocument>({ request: 1 }))
    if (isAbout(request?.body ?? '', external_id)) await deliveries.updateOne({ _id }, WITHOUT_CONTENT);
}

/** The parts of a conversation that a visitor or an agent has written, each with the sequence number that set it. */
const WRITTEN = ['contact', 'session', 'subject', 'last_message'] as const;

/** The last sequence number of a time (ms since the Unix epoch). */
function lastSequence(at: number): number {
  return at * 1000 + 999;
}

/**
 * Removes what was written up to a sequence number, and notes it, so that the fold leaves out such actions from now on.
 * Returns false if another writer was first.
 */
async function eraseContent(
  collection: mongo.Collection<ConversationDocument>,
  _id: string,
  until: number,
): Promise<boolean> {
  const found = await collection.findOne({ _id });
  if (found === null) return true;
  const { revision, untold = [] } = found;
  const gone = WRITTEN.filter((part) => (found[part]?.sequence ?? Number.POSITIVE_INFINITY) <= until);
  const later = untold.filter(({ at }) => lastSequence(at) > until);
  const update = {
    $unset: {
      ...Object.fromEntries(gone.map((part) => [part, 1])),
      ...(gone.includes('contact') && { unlinked_keys: 1, link_due_at: 1 }),
      ...(later.length === 0 && { untold: 1, untold_at: 1 }),
    },
    $set: {
      erased_sequence: Math.max(until, found.erased_sequence ?? 0),
      ...(later.length > 0 && { untold: later }),
    },
    $inc: { revision: 1 },
    ...CHANGED_NOW,
  } as mongo.UpdateFilter<ConversationDocument>;
  return (await collection.updateOne({ _id, revision }, update, CHANGE_WRITE)).matchedCount === 1;
}
