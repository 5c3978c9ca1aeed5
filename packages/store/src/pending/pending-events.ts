import type { mongo } from 'mongoose';
import type { EventDocument } from '../events/event-document.ts';
import { readPending } from '../events/event-pending.ts';
import { lastSequence, type PendingRecord } from './pending-record.ts';

/** The part of an event's document that publishing needs. */
type PendingDocument = Pick<EventDocument, '_id'> &
  Partial<Pick<EventDocument, 'account_id' | 'untold' | 'expires_once_told'>>;

/** Throws if the changes can't be read. Undefined: there are none. */
export function pendingEvent(document: PendingDocument): PendingRecord | undefined {
  const { _id: id, account_id, untold, expires_once_told } = document;
  if (account_id === undefined || untold === undefined) return undefined;
  const changes = readPending({ json: untold });
  return {
    collection: 'events',
    id,
    account_id,
    changes: changes.map(({ change }) => change),
    texts: changes.map(({ text }) => text),
    expires_at: expires_once_told?.getTime(),
  };
}

const PUBLISHED_FIELDS = { untold: 1, untold_at: 1, untold_sequence: 1 } as const;

/**
 * Clears the changes of events whose last change is the told one. The others were changed meanwhile: the worker that changed
 * one has kept its older changes, and tells them too. The events of one run have the same sequence numbers, so that one
 * statement clears many.
 */
export async function clearEvents(
  collection: mongo.Collection<EventDocument>,
  records: readonly PendingRecord[],
): Promise<boolean> {
  const alike = new Map<string, PendingRecord[]>();
  for (const record of records) {
    const key = `${lastSequence(record)} ${record.expires_at ?? ''}`;
    const some = alike.get(key);
    if (some === undefined) alike.set(key, [record]);
    else some.push(record);
  }
  const operations = Array.from(alike.values(), toOperation);
  const { modifiedCount } = await collection.bulkWrite(operations, { ordered: false });
  return modifiedCount === records.length;
}

/** The guard has the expiry too: an event that was created once more meanwhile must not get it. */
function toOperation(alike: readonly PendingRecord[]): mongo.AnyBulkWriteOperation<EventDocument> {
  const [first] = alike as [PendingRecord];
  const _id = alike.length === 1 ? first.id : { $in: alike.map(({ id }) => id) };
  const told = { _id, untold_sequence: lastSequence(first) };
  if (first.expires_at === undefined) {
    const filter = { ...told, expires_once_told: { $exists: false } };
    return { updateMany: { filter, update: { $unset: PUBLISHED_FIELDS } } };
  }
  const expires = new Date(first.expires_at);
  return {
    updateMany: {
      filter: { ...told, expires_once_told: expires },
      update: { $unset: { ...PUBLISHED_FIELDS, expires_once_told: 1 }, $set: { expires_at: expires } },
    },
  };
}

/** Those that have a change as old as the published ones. */
export async function stillPendingEvents(
  collection: mongo.Collection<EventDocument>,
  records: readonly PendingRecord[],
): Promise<ReadonlySet<string>> {
  const publishedAt = new Map(
    records.map(({ id, changes }) => [id, Math.max(...changes.map(({ at }) => at))]),
  );
  const found = await collection
    .find({ _id: { $in: [...publishedAt.keys()] }, untold_at: { $exists: true } })
    .project<{ _id: string; untold_at: Date }>({ untold_at: 1 })
    .toArray();
  const isStill = ({ _id, untold_at }: { _id: string; untold_at: Date }) =>
    untold_at.getTime() <= (publishedAt.get(_id) ?? 0);
  return new Set(found.filter(isStill).map(({ _id }) => _id));
}
