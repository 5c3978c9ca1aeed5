import type { MessageStatus } from '@sluice/contract/subscription/webhook-delivery';
import type { mongo } from 'mongoose';
import { CHANGE_WRITE, CHANGED_NOW, insertedNow } from '../changed-since.ts';
import { DUPLICATE_KEY, refusedWrites } from '../writing/write-errors.ts';
import type { AttemptRow, MessageAttempt, UnattemptedMessage, WaitingMessage } from './webhook-message.ts';
import { type MessageDocument, toDocument, type UntimedMessage } from './webhook-message-document.ts';

const ENDED_UNSENT: readonly MessageStatus[] = ['failed', 'discarded'];

/** Further attempts drop the oldest. Ten retries and many redeliveries fit. */
const KEPT_ATTEMPTS = 50;

/** The embedded store has no `$[]`, so each response is named by its place. An attempt that is added meanwhile moves none. */
export async function eraseResponses(
  collection: mongo.Collection<MessageDocument>,
  wanted: mongo.Filter<MessageDocument>,
): Promise<void> {
  const found = await collection.find(wanted, { projection: { 'attempts.response': 1 } }).toArray();
  const updates = found.flatMap(({ _id, attempts }) => {
    const places = attempts.flatMap(({ response }, place) => (response === null ? [] : [place]));
    if (places.length === 0) return [];
    const $set = Object.fromEntries(places.map((place) => [`attempts.${place}.response`, null]));
    const update = { $set, ...CHANGED_NOW } as mongo.UpdateFilter<MessageDocument>;
    return [{ updateOne: { filter: { _id }, update } }];
  });
  if (updates.length > 0) await collection.bulkWrite(updates, { ...CHANGE_WRITE, ordered: false });
}

/** Most messages are delivered at once: they are inserted. Only the others need an update. */
export async function logAttempts(
  collection: mongo.Collection<MessageDocument>,
  rows: readonly AttemptRow[],
): Promise<void> {
  const merged = mergeRows(rows);
  if (merged.length === 0) return;
  const existing: Merged[] = [];
  try {
    await insertAll(
      collection,
      merged.map(({ document }) => document),
    );
  } catch (error) {
    for (const { index, code } of refusedWrites(error)) {
      if (code !== DUPLICATE_KEY) throw error;
      existing.push(merged[index] as Merged);
    }
  }
  if (existing.length === 0) return;
  await collection.bulkWrite(existing.flatMap(updatesOf), CHANGE_WRITE);
}

/**
 * A message that has ended keeps its state: a dispatcher that was frozen may log its attempt after another process has ended the message.
 * The last update adds the attempt where the first finds that the message has ended.
 */
function updatesOf({ document, stays }: Merged): mongo.AnyBulkWriteOperation<MessageDocument>[] {
  const { _id, attempts, status, next_attempt_at, tries } = document;
  const ends = status === 'delivered';
  const state = {
    $set: {
      ...{ status, next_attempt_at, ...(!ends && { undelivered: true }) },
      ...(tries !== undefined && { tries }),
    },
    ...(ends && { $unset: { undelivered: 1 } }),
  };
  return attempts.flatMap((attempt) => {
    const unlogged = { _id, 'attempts.id': { $ne: attempt.id } };
    const add = (added: MessageAttempt) => ({
      ...CHANGED_NOW,
      $push: { attempts: { $each: [added], $slice: -KEPT_ATTEMPTS } },
    });
    const one = (filter: object, update: object) => ({
      updateOne: { filter, update: update as mongo.UpdateFilter<MessageDocument> },
    });
    // The response may repeat what was erased.
    const erased =
      attempt.response === null
        ? []
        : [one({ ...unlogged, status: 'erased' }, add({ ...attempt, response: null }))];
    if (stays) return [...erased, one(unlogged, add(attempt))];
    if (ends) return [one(unlogged, { ...state, ...add(attempt) })];
    const open = { status: { $in: statesBefore(attempt) } };
    return [
      one({ ...unlogged, ...open }, { ...state, ...add(attempt) }),
      ...erased,
      one(unlogged, add(attempt)),
    ];
  });
}

/** The states that a failed attempt may change. Only a recovery opens a message that has ended. A failed resend changes no state at all. */
function statesBefore({ redelivery }: MessageAttempt): readonly MessageStatus[] {
  return redelivery ? ['pending', 'failed', 'discarded'] : ['pending'];
}

export async function logDiscarded(
  collection: mongo.Collection<MessageDocument>,
  messages: readonly UnattemptedMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const end = { status: 'discarded', next_attempt_at: null } as const;
  // First what is in the log, so that the insert meets those as existing.
  await collection.updateMany(
    { _id: { $in: messages.map(({ message_id }) => message_id) }, status: 'pending' },
    { $set: end, ...CHANGED_NOW },
    CHANGE_WRITE,
  );
  await insertAllNew(
    collection,
    messages.map((message) => toDocument({ ...message, ...end }, [])),
  );
}

export async function addBroughtOver(
  collection: mongo.Collection<MessageDocument>,
  messages: readonly WaitingMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  await insertAllNew(
    collection,
    messages.map((message) => toDocument({ ...message, status: 'pending' }, [])),
  );
  const places = messages.map(
    ({ message_id, place }): mongo.AnyBulkWriteOperation<MessageDocument> => ({
      updateOne: {
        filter: {
          _id: message_id,
          status: 'pending',
          place: { $exists: false },
        } as mongo.Filter<MessageDocument>,
        update: { $set: { place } } as mongo.UpdateFilter<MessageDocument>,
      },
    }),
  );
  await collection.bulkWrite(places, { ordered: false });
}

/** Messages that have ended wait once more, and their attempts so far do not count. */
export async function addRecovered(
  collection: mongo.Collection<MessageDocument>,
  messages: readonly WaitingMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const waits = { status: 'pending', recovered: true, tries: 0 } as const;
  // First what is in the log, so that the insert meets those as existing.
  const again = messages.map(({ message_id: _id, place, next_attempt_at }) => {
    const $set = { ...waits, place, next_attempt_at: new Date(next_attempt_at), undelivered: true };
    const update = { $set, ...CHANGED_NOW } as mongo.UpdateFilter<MessageDocument>;
    return { updateOne: { filter: { _id, status: { $in: ENDED_UNSENT } }, update } };
  });
  await collection.bulkWrite(again, { ...CHANGE_WRITE, ordered: false });
  await insertAllNew(
    collection,
    messages.map((message) => toDocument({ ...message, ...waits }, [])),
  );
}

/** Inserts those that are not stored yet. */
export async function insertAllNew(
  collection: mongo.Collection<MessageDocument>,
  documents: readonly UntimedMessage[],
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await insertAll(collection, documents);
  } catch (error) {
    if (refusedWrites(error).some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
}

async function insertAll(
  collection: mongo.Collection<MessageDocument>,
  documents: readonly UntimedMessage[],
): Promise<void> {
  const inserts = documents.map((document) => ({ updateOne: insertedNow(document) }));
  await collection.bulkWrite(inserts, { ...CHANGE_WRITE, ordered: false });
}

interface Merged {
  readonly document: UntimedMessage;
  readonly stays: boolean;
}

function mayChange({ status, status_stays }: AttemptRow, row: AttemptRow): boolean {
  if (row.status_stays) return false;
  return status_stays || row.status === 'delivered' || statesBefore(row.attempt).includes(status);
}

/** One document for each message. A row that delivered it decides the status, or else the last one that may change it. */
function mergeRows(rows: readonly AttemptRow[]): Merged[] {
  const merged = new Map<string, { readonly deciding: AttemptRow; readonly attempts: MessageAttempt[] }>();
  for (const row of rows) {
    const before = merged.get(row.message_id);
    const decides = before === undefined || mayChange(before.deciding, row);
    const deciding = decides ? row : before.deciding;
    merged.set(row.message_id, { deciding, attempts: [...(before?.attempts ?? []), row.attempt] });
  }
  return [...merged.values()].map(({ deciding, attempts }) => ({
    document: toDocument(deciding, attempts),
    stays: deciding.status_stays === true,
  }));
}
