import type { mongo } from 'mongoose';
import { DUPLICATE_KEY, refusedWrites } from '../writing/write-errors.ts';
import type { AttemptRow, MessageAttempt, UnattemptedMessage } from './webhook-message.ts';
import { type MessageDocument, toDocument } from './webhook-message-document.ts';

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
    const update = { $set, ...changedNow() } as mongo.UpdateFilter<MessageDocument>;
    return [{ updateOne: { filter: { _id }, update } }];
  });
  if (updates.length > 0) await collection.bulkWrite(updates, { ordered: false });
}

/** Their time never goes back, also if the clock of this machine is behind: a list in the order of changes would miss one. */
export function changedNow() {
  return { $max: { updated_at: new Date() } };
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
    await collection.insertMany(
      merged.map(({ document }) => document),
      { ordered: false },
    );
  } catch (error) {
    for (const { index, code } of refusedWrites(error)) {
      if (code !== DUPLICATE_KEY) throw error;
      existing.push(merged[index] as Merged);
    }
  }
  if (existing.length === 0) return;
  await collection.bulkWrite(existing.flatMap(updatesOf));
}

/**
 * A delivered message stays delivered: a dispatcher that was frozen may log its failed attempt after another one has delivered the
 * message. The second update adds the attempt where the first finds the message delivered.
 */
function updatesOf({ document, stays }: Merged): mongo.AnyBulkWriteOperation<MessageDocument>[] {
  const { _id, attempts, status, next_attempt_at } = document;
  const ends = status === 'delivered';
  const state = {
    $set: { status, next_attempt_at, ...(!ends && { undelivered: true }) },
    ...(ends && { $unset: { undelivered: 1 } }),
  };
  return attempts.flatMap((attempt) => {
    const unlogged = { _id, 'attempts.id': { $ne: attempt.id } };
    const add = { ...changedNow(), $push: { attempts: { $each: [attempt], $slice: -KEPT_ATTEMPTS } } };
    const one = (filter: object, update: object) => ({
      updateOne: { filter, update: update as mongo.UpdateFilter<MessageDocument> },
    });
    if (stays) return [one(unlogged, add)];
    if (ends) return [one(unlogged, { ...state, ...add })];
    return [one({ ...unlogged, status: { $ne: 'delivered' } }, { ...state, ...add }), one(unlogged, add)];
  });
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
    { $set: end, ...changedNow() },
  );
  try {
    await collection.insertMany(
      messages.map((message) => toDocument({ ...message, ...end }, [], new Date())),
      { ordered: false },
    );
  } catch (error) {
    if (refusedWrites(error).some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
}

interface Merged {
  readonly document: MessageDocument;
  readonly stays: boolean;
}

/** One document for each message. A row that delivered it decides the status, or else the last one that changes it. */
function mergeRows(rows: readonly AttemptRow[]): Merged[] {
  const merged = new Map<string, { readonly deciding: AttemptRow; readonly attempts: MessageAttempt[] }>();
  for (const row of rows) {
    const before = merged.get(row.message_id);
    const decides = before === undefined || !(row.status_stays || before.deciding.status === 'delivered');
    const deciding = decides ? row : before.deciding;
    merged.set(row.message_id, { deciding, attempts: [...(before?.attempts ?? []), row.attempt] });
  }
  return [...merged.values()].map(({ deciding, attempts }) => ({
    document: toDocument(deciding, attempts, new Date()),
    stays: deciding.status_stays === true,
  }));
}
