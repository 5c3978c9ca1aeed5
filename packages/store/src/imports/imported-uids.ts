import { hash } from 'node:crypto';
import { DAY_SECONDS } from '@sluice/contract/time/durations';
import type { Connection } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';

/** The event that an entry of a calendar became. */
export interface ImportedUid {
  readonly uid: string;
  /** Identifies a changed day of a series. '' for the series, and for an event that does not recur. */
  readonly recurrence_id: string;
  readonly event_id: string;
}

export interface FoundUid extends ImportedUid {
  /** The events that it was before, latest first. Absent if it was none. */
  readonly earlier?: readonly string[];
}

export interface UidPortion {
  readonly entries: readonly FoundUid[];
  /** UIDs that were not looked up. Request them again. */
  readonly unread: readonly string[];
  /** One of the UIDs has too many entries to be looked up at all. */
  readonly tooMany: boolean;
}

/** Remembers the UIDs of imported calendars, so that a later import finds an event whose title, start or location changed. */
export interface ImportedUids {
  /**
   * The last event of a UID comes before earlier ones. `at`: milliseconds since the Unix epoch. Call it within the turn of an import
   * (import-turns.ts): of two calls at the same time, one may miss what the other notes.
   */
  noteUids(sourceId: string, entries: readonly ImportedUid[], at: number): Promise<void>;
  /** The entries of UIDs, with all days of series: of as many UIDs as fit into memory together. */
  findUids(sourceId: string, uids: readonly string[], most?: number): Promise<UidPortion>;
  /** Those of the events that are the last event of any UID. */
  findTaken(sourceId: string, eventIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Forgets all entries of a source. */
  forgetSource(sourceId: string): Promise<void>;
}

interface UidDocument {
  readonly _id: string;
  readonly schema_version: 1;
  readonly source_id: string;
  /** Hash of the UID, because UIDs may contain email addresses. */
  readonly uid: string;
  readonly recurrence_id: string;
  readonly event_id: string;
  /** Absent if there are none. */
  readonly earlier?: readonly string[];
  readonly at: Date;
}

/** A calendar that is imported once a year is still recognized. */
const RETENTION_SECONDS = 400 * DAY_SECONDS;
/** Limit on the entries that one lookup reads. A calendar has 10,000 events at most. */
export const MAX_FOUND = 20_000;
/** An import that is undone, rejected or stopped leaves one event that does not exist. */
const MAX_EARLIER = 5;

const { writeConcern } = ADMIN_WRITE;

export function createImportedUids(connection: Connection): ImportedUids {
  const schema = nativeSchema<UidDocument>()
    .index({ source_id: 1, uid: 1 })
    .index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
  const collection = registerCollection(connection, 'ImportedUid', schema, 'imported_uids');
  return {
    async noteUids(source_id, entries, at) {
      if (entries.length === 0) return;
      const hashed = entries.map(({ uid: text, recurrence_id, event_id }) => {
        const uid = hashOf(text);
        return { _id: `${source_id}/${uid}/${recurrence_id}`, uid, recurrence_id, event_id };
      });
      const ids = hashed.map(({ _id }) => _id);
      const found = await collection.find({ _id: { $in: ids } }).toArray();
      const known = new Map(found.map((one) => [one._id, one]));
      const latest = new Map<string, Omit<(typeof hashed)[number], '_id'> & Pick<UidDocument, 'earlier'>>();
      for (const { _id, ...entry } of hashed) {
        const earlier = earlierOf(latest.get(_id) ?? known.get(_id), entry.event_id);
        latest.set(_id, { ...entry, ...(earlier.length > 0 && { earlier }) });
      }
      const operations = [...latest].map(([_id, entry]) => {
        const $set = { schema_version: 1 as const, source_id, ...entry, at: new Date(at) };
        return { updateOne: { filter: { _id }, update: { $set }, upsert: true } };
      });
      await collection.bulkWrite(operations, { ordered: false, writeConcern });
    },
    async findTaken(source_id, eventIds) {
      if (eventIds.length === 0) return new Set();
      // Few UIDs have lost their last event, so this needs no index. It reads the entries of one source.
      const event_id = { $in: [...new Set(eventIds)] };
      const found = collection.find({ source_id, event_id }, { projection: { event_id: 1 } });
      return new Set((await found.toArray()).map((one) => one.event_id));
    },
    async forgetSource(source_id) {
      await collection.deleteMany({ source_id });
    },
    async findUids(source_id, uids, most = MAX_FOUND) {
      const texts = new Map(uids.map((uid) => [hashOf(uid), uid]));
      if (texts.size === 0) return { entries: [], unread: [], tooMany: false };
      const filter = { source_id, uid: { $in: [...texts.keys()] } };
      const found = collection
        .find(filter)
        .sort({ uid: 1 })
        .limit(most + 1);
      const documents = await found.toArray();
      // The entries of the last UID may be cut.
      const cut = documents.length > most ? documents.at(-1)?.uid : undefined;
      const entries = documents
        .filter(({ uid }) => uid !== cut)
        .map(({ uid, recurrence_id, event_id, earlier }) => ({
          uid: texts.get(uid) as string,
          recurrence_id,
          event_id,
          ...(earlier !== undefined && { earlier }),
        }));
      const unread =
        cut === undefined ? [] : [...texts].filter(([uid]) => uid >= cut).map(([, text]) => text);
      return { entries, unread, tooMany: cut !== undefined && documents[0]?.uid === cut };
    },
  };
}

function earlierOf(known: Pick<UidDocument, 'event_id' | 'earlier'> | undefined, event_id: string): string[] {
  if (known === undefined) return [];
  const all = new Set([known.event_id, ...(known.earlier ?? [])]);
  all.delete(event_id);
  return [...all].slice(0, MAX_EARLIER);
}

function hashOf(uid: string): string {
  return hash('sha256', uid, 'hex').slice(0, 32);
}
