import { randomBytes } from 'node:crypto';
import { DAY_SECONDS, MINUTE_MS } from '@sluice/contract/time/durations';
import type { Connection, mongo } from 'mongoose';
import { ADMIN_WRITE } from '../writing/admin-write.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { isDuplicateKey } from '../writing/write-errors.ts';

/** The turn of an import of calendars into a source. Times are milliseconds since the Unix epoch. */
export interface ImportTurn {
  /** The import that had the last turn; '' if there was none. */
  readonly import_id: string;
  /** Changes with each turn and with its end; '' before the first turn. */
  readonly version: string;
  /** A turn is under way until then, unless it ends earlier. */
  readonly until: number;
  readonly at: number;
}

export interface WantedTurn {
  readonly import_id: string;
  /** The version that the import was planned with. Absent: any. */
  readonly seen?: string | undefined;
  readonly at: number;
}

/** Lets one import of calendars into a source run at a time, and only if no other has run since its file was checked. */
export interface ImportTurns {
  readTurn(sourceId: string): Promise<ImportTurn>;
  /**
   * The next part of the import that had the last turn always gets one. `busy`: another import has the turn. `stale`: another has had
   * one since `seen`.
   */
  takeTurn(sourceId: string, wanted: WantedTurn): Promise<'taken' | 'busy' | 'stale'>;
  /** Ends the turn, if the import still has it. */
  endTurn(sourceId: string, importId: string, at: number): Promise<void>;
  /** Removes the turn of a deleted source. */
  forgetTurn(sourceId: string): Promise<void>;
}

interface TurnDocument {
  readonly _id: string;
  readonly schema_version: 1;
  readonly import_id: string;
  readonly version: string;
  readonly until: Date;
  readonly at: Date;
}

/** A process that dies ends its turn after this time. A part of a file needs a few seconds. */
export const IMPORT_TURN_MS = MINUTE_MS;
/** The UIDs of a source are remembered for the same time. */
const RETENTION_SECONDS = 400 * DAY_SECONDS;

const { writeConcern } = ADMIN_WRITE;

/** Stores one document for each source into which a calendar was imported. */
export function createImportTurns(connection: Connection): ImportTurns {
  const schema = nativeSchema<TurnDocument>().index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
  const collection = registerCollection(connection, 'ImportTurn', schema, 'import_turns');

  const readTurn = async (sourceId: string): Promise<ImportTurn> => {
    const found = await collection.findOne({ _id: sourceId }, { readConcern: { level: 'majority' } });
    if (found === null) return { import_id: '', version: '', until: 0, at: 0 };
    const { import_id, version, until, at } = found;
    return { import_id, version, until: until.getTime(), at: at.getTime() };
  };

  const put = async (filter: mongo.Filter<TurnDocument>, turn: ImportTurn, upsert: boolean) => {
    const { until, at, ...rest } = turn;
    const $set = { ...rest, schema_version: 1 as const, until: new Date(until), at: new Date(at) };
    const result = await collection.updateOne(filter, { $set }, { upsert, writeConcern });
    return result.matchedCount + result.upsertedCount > 0;
  };

  return {
    readTurn,
    async takeTurn(sourceId, { import_id, seen, at }) {
      const isFree = { until: { $lte: new Date(at) }, ...(seen !== undefined && { version: seen }) };
      const filter = { _id: sourceId, $or: [{ import_id }, isFree] };
      const turn = { import_id, version: newVersion(), until: at + IMPORT_TURN_MS, at };
      // The upsert of a document that exists but does not match fails at its key.
      const isFirst = seen === undefined || seen === '';
      const isTaken = await put(filter, turn, isFirst).catch((error: unknown) => {
        if (isDuplicateKey(error)) return false;
        throw error;
      });
      if (isTaken) return 'taken';
      return (await readTurn(sourceId)).until > at ? 'busy' : 'stale';
    },
    async endTurn(sourceId, import_id, at) {
      const turn = { import_id, version: newVersion(), until: at, at };
      await put({ _id: sourceId, import_id }, turn, false);
    },
    async forgetTurn(sourceId) {
      await collection.deleteOne({ _id: sourceId }, { writeConcern });
    },
  };
}

function newVersion(): string {
  return randomBytes(8).toString('hex');
}
