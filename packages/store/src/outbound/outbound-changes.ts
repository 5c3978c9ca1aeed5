import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { Connection, mongo } from 'mongoose';
import { beyondPlace } from '../reading/beyond-place.ts';
import { firstBatch } from '../reading/first-batch.ts';
import { isSet, nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { DUPLICATE_KEY, refusedWrites } from '../writing/write-errors.ts';
import { type FittingChanges, type FittingQuery, fitting, LOOKED_AT, within } from './fitting-changes.ts';

/** A change that some subscription collects. Times are milliseconds since the Unix epoch. */
export interface OutboundChange {
  /** Derived from record, sequence and kind (contract/message/outbound-ids.ts). */
  readonly change_id: string;
  readonly account_id: string;
  readonly kind: ChangeKind;
  readonly record_id: string;
  readonly sequence: number;
  /** Its place in the log of its account: it grows with every change that is published. */
  readonly number?: number;
  /** Present: it had another number before, so some subscriptions may have sent it. */
  readonly again?: true;
  readonly at: number;
  /** Everything of a message's body after its id (contract/message/outbound-text.ts). */
  readonly text: string;
  /** Filters of subscriptions compare these. */
  readonly source_id?: string;
  readonly channel_id?: string;
  readonly stage?: string;
}

export type ChangeHead = Omit<OutboundChange, 'text'>;
export type NumberedHead = ChangeHead & { readonly number: number };

/** Selects changes of an account, oldest first. */
export interface ChangesQuery {
  readonly account_id: string;
  readonly kinds: readonly ChangeKind[];
  /** Inclusive. */
  readonly since: number;
  /** The last change of the previous page. */
  readonly after?: Pick<OutboundChange, 'at' | 'change_id'> | undefined;
  readonly limit: number;
}

export type LogQuery = Pick<FittingQuery, 'account_id' | 'after' | 'upTo' | 'limit'>;

export interface LogMove extends Pick<OutboundChange, 'change_id'> {
  readonly from: number;
  readonly number: number;
  /** A reader may have read it at its old number. */
  readonly again: boolean;
}

/** `more`: further changes may follow the last one. */
export interface LogPage {
  readonly changes: readonly OutboundChange[];
  readonly more: boolean;
}

export interface OutboundChanges {
  /** Adds changes to the log in one round trip. Returns the numbers of those that it has already, 0 without one; these stay unchanged. Idempotent. */
  appendChanges(changes: readonly OutboundChange[]): Promise<ReadonlyMap<string, number>>;
  /** Moves changes that still have the number `from`. Returns the numbers of all of them afterwards. */
  moveChanges(moves: readonly LogMove[]): Promise<ReadonlyMap<string, number>>;
  /** The numbers of those changes that are in the log. */
  numbersOf(changeIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The highest number in the log of an account; 0 without any. */
  lastNumber(accountId: string): Promise<number>;
  /** The changes of an account with numbers above `after` up to `upTo`, in their order: at most `limit`, or fewer that have 16 MiB together. */
  readLog(query: LogQuery): Promise<LogPage>;
  /** Counts changes of a log that fit, up to `limit`, among the first of the range. */
  countFitting(query: FittingQuery): Promise<FittingChanges>;
  /** Changes of a log that fit, among the last of the range, without their texts. The highest number comes first. */
  newestFitting(query: FittingQuery): Promise<readonly NumberedHead[]>;
  /** The texts of those changes that are stored. */
  findTexts(changeIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Without their texts. Fewer than `limit`: no further changes follow. */
  pageChanges(query: ChangesQuery): Promise<readonly ChangeHead[]>;
  /** The latest changes of one kind, newest first. */
  newestChanges(
    query: Pick<OutboundChange, 'account_id' | 'kind'> & { readonly limit: number },
  ): Promise<readonly OutboundChange[]>;
  /**
   * The ids of the changes of a record that are removed if it is erased: those made at `until` (ms since the Unix epoch) or earlier.
   * Not `lead.erased`: it has only the id.
   */
  erasableIds(accountId: string, recordId: string, until?: number): Promise<readonly string[]>;
  removeChanges(changeIds: readonly string[]): Promise<void>;
}

interface ChangeDocument extends Omit<OutboundChange, 'change_id' | 'at'> {
  readonly _id: string;
  readonly schema_version: 1;
  readonly at: Date;
  /** Present on changes of records that can be erased. Changes of events have no entry in its index. */
  readonly erasable?: true;
}

/** Rows of messages are kept at least as long. Both are needed to send a message again. */
export const LOG_RETENTION_MS = 30 * DAY_MS;

const BOUNDED = { maxTimeMS: 5000 };

function changeSchema() {
  return nativeSchema<ChangeDocument>()
    .index({ account_id: 1, kind: 1, at: 1, _id: 1 })
    .index({ account_id: 1, number: 1 }, isSet('number'))
    .index({ record_id: 1 }, isSet('erasable'))
    .index({ at: 1 }, { expireAfterSeconds: LOG_RETENTION_MS / 1000 });
}

export function createOutboundChanges(connection: Connection): OutboundChanges {
  const collection = registerCollection(connection, 'OutboundChange', changeSchema(), 'outbound_changes');
  const numbersOf = async (ids: readonly string[]) => {
    const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { number: 1 } }).toArray();
    return new Map(found.map(({ _id, number = 0 }) => [_id, number]));
  };
  /** The number of the change that is the last to look at, from the start (1) or the end (-1). Undefined: there are fewer. */
  const numberAt = async (query: FittingQuery, direction: 1 | -1) => {
    const wanted = within(query) as mongo.Filter<ChangeDocument>;
    const found = collection.find(wanted, { projection: { _id: 0, number: 1 }, ...BOUNDED });
    const skipped = (query.lookAt ?? LOOKED_AT) - 1;
    const [last] = await found.sort({ number: direction }).skip(skipped).limit(1).toArray();
    return last?.number;
  };
  return {
    async appendChanges(changes) {
      const known: string[] = [];
      try {
        if (changes.length > 0) await collection.insertMany(changes.map(toDocument), { ordered: false });
      } catch (error) {
        for (const { index, code } of refusedWrites(error)) {
          if (code !== DUPLICATE_KEY) throw error;
          known.push((changes[index] as OutboundChange).change_id);
        }
      }
      return known.length === 0 ? new Map() : numbersOf(known);
    },
    async moveChanges(moves) {
      if (moves.length === 0) return new Map();
      const operations = moves.map(
        ({ change_id: _id, from, number, again }): mongo.AnyBulkWriteOperation<ChangeDocument> => ({
          updateOne: {
            // 0.2.0 gave no numbers.
            filter: { _id, number: from === 0 ? { $exists: false } : from } as mongo.Filter<ChangeDocument>,
            update: { $set: { number, ...(again && { again: true }) } } as mongo.UpdateFilter<ChangeDocument>,
          },
        }),
      );
      await collection.bulkWrite(operations, { ordered: false });
      return numbersOf(moves.map(({ change_id }) => change_id));
    },
    numbersOf,
    async lastNumber(account_id) {
      const cursor = collection.find(
        { account_id, number: { $exists: true } },
        { projection: { number: 1 } },
      );
      return (await cursor.sort({ number: -1 }).limit(1).toArray())[0]?.number ?? 0;
    },
    async readLog({ limit, ...range }) {
      const wanted = within(range) as mongo.Filter<ChangeDocument>;
      const { documents, more } = await firstBatch(collection.find(wanted).sort({ number: 1 }), limit);
      return { changes: documents.map(fromDocument), more };
    },
    async countFitting(query) {
      if (query.after >= query.upTo) return { count: 0, first: null, isCut: false };
      const upTo = (await numberAt(query, 1)) ?? query.upTo;
      const wanted = fitting({ ...query, upTo }) as mongo.Filter<ChangeDocument>;
      const found = collection.find(wanted, { projection: { number: 1 }, ...BOUNDED });
      const [count, [oldest]] = await Promise.all([
        collection.countDocuments(wanted, { limit: query.limit, ...BOUNDED }),
        found.sort({ number: 1 }).limit(1).toArray(),
      ]);
      return { count, first: oldest?.number ?? null, isCut: upTo < query.upTo };
    },
    async newestFitting(query) {
      if (query.after >= query.upTo) return [];
      const after = Math.max(query.after, ((await numberAt(query, -1)) ?? 0) - 1);
      const wanted = fitting({ ...query, after }) as mongo.Filter<ChangeDocument>;
      const found = collection.find(wanted, { projection: { text: 0 }, ...BOUNDED });
      const newest = await found.sort({ number: -1 }).limit(query.limit).toArray();
      return newest.map(fromDocument) as NumberedHead[];
    },
    async findTexts(changeIds) {
      const wanted = { _id: { $in: [...changeIds] } };
      const found = await collection.find(wanted, { projection: { text: 1 } }).toArray();
      return new Map(found.map(({ _id, text }) => [_id, text]));
    },
    async pageChanges({ account_id, kinds, since, after, limit }) {
      // One query for each kind, so that each reads one range of the index.
      const pages = await Promise.all(
        kinds.map((kind) =>
          collection
            .find({ account_id, kind, ...beyond(since, after) }, { projection: { text: 0 } })
            .sort({ at: 1, _id: 1 })
            .limit(limit)
            .toArray(),
        ),
      );
      return pages.flat().sort(oldestFirst).slice(0, limit).map(fromDocument);
    },
    async newestChanges({ account_id, kind, limit }) {
      const cursor = collection.find({ account_id, kind }).sort({ at: -1, _id: -1 }).limit(limit);
      return (await cursor.toArray()).map(fromDocument);
    },
    async erasableIds(account_id, record_id, until) {
      const wanted: mongo.Filter<ChangeDocument> = {
        record_id,
        account_id,
        erasable: { $exists: true },
        kind: { $ne: 'lead.erased' },
        ...(until !== undefined && { at: { $lte: new Date(until) } }),
      };
      const found = await collection.find(wanted, { projection: { _id: 1 } }).toArray();
      return found.map(({ _id }) => _id);
    },
    async removeChanges(changeIds) {
      if (changeIds.length > 0) await collection.deleteMany({ _id: { $in: [...changeIds] } });
    },
  };
}

function beyond(since: number, after: ChangesQuery['after']): mongo.Filter<ChangeDocument> {
  if (after === undefined || after.at < since) return { at: { $gte: new Date(since) } };
  return beyondPlace('at', 1, { at: after.at, id: after.change_id });
}

function oldestFirst(a: ChangeDocument, b: ChangeDocument): number {
  return a.at.getTime() - b.at.getTime() || (a._id < b._id ? -1 : 1);
}

function toDocument({ change_id, at, ...rest }: OutboundChange): ChangeDocument {
  const erasable = !rest.kind.startsWith('event.') && !rest.kind.startsWith('source.');
  return {
    _id: change_id,
    schema_version: 1,
    ...rest,
    at: new Date(at),
    ...(erasable && { erasable }),
  };
}

function fromDocument(document: ChangeDocument): OutboundChange {
  const { _id, schema_version: _, erasable: __, at, ...rest } = document;
  return { change_id: _id, ...rest, at: at.getTime() };
}
