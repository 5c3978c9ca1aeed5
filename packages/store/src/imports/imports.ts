import type { ImportFormat } from '@sluice/contract/event/event-fields';
import type { Connection } from 'mongoose';
import { type LogTtl, withLogTtl } from '../deliveries/log-ttl.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { markPartsUndone, type PartFields, putPart } from './import-parts.ts';

/** The rows of an import that arrived in one request. Times are milliseconds since the Unix epoch. */
export interface ImportPart {
  readonly account_id: string;
  readonly source_id: string;
  readonly import_id: string;
  /** Number of its first row. */
  readonly first_row: number;
  readonly last_row: number;
  /** Number of its rows accepted so far. */
  readonly accepted: number;
  readonly file_name: string;
  readonly format: ImportFormat;
  /** Email address of the user who imported the file. */
  readonly by: string;
  readonly at: number;
  /**
   * The events of its rows: first those of the accepted ones, then of those that were not tried. Their previous states are stored with
   * the events (event-document.ts).
   */
  readonly event_ids: readonly string[];
  /** The lowest sequence number of its accepted rows. Absent while it has none. */
  readonly first_sequence?: number;
}

/** Identifies a part within its import. Several parts may begin with the same row, which cancels many days of a series. */
export interface NotedPart extends ImportPart {
  /** A hash of its rows. */
  readonly digest: string;
}

/** A whole import, joined from the parts received so far. Parts differ only in rows and events. */
export interface StoredImport extends Omit<ImportPart, 'first_sequence'> {
  readonly undone_at: number | null;
  readonly parts: readonly Pick<ImportPart, 'event_ids' | 'first_sequence' | 'accepted'>[];
}

export interface Imports {
  /** Records a part. A repeated part replaces the first. */
  notePart(part: NotedPart): Promise<void>;
  /** Undefined if the account has no import, or if it has expired. */
  lastImport(accountId: string): Promise<StoredImport | undefined>;
  findImport(accountId: string, sourceId: string, importId: string): Promise<StoredImport | undefined>;
  markUndone(sourceId: string, importId: string, at: number): Promise<void>;
}

type PartDocument = PartFields & Omit<ImportPart, 'at'>;

/** Limit on the parts read for one import. A file has about ten. */
const MAX_PARTS = 100;

function partSchema(ttl: LogTtl) {
  const schema = nativeSchema<PartDocument>()
    .index({ account_id: 1, at: -1 })
    .index({ source_id: 1, import_id: 1 });
  return withLogTtl(schema, 'at', ttl);
}

/** Stores imports for as long as the delivery log is kept. */
export function createImports(connection: Connection, ttl: LogTtl): Imports {
  const schema = partSchema(ttl);
  const collection = registerCollection(connection, 'ImportPart', schema, 'imports');
  const find = async (account_id: string, source_id: string, import_id: string) => {
    const cursor = collection.find({ account_id, source_id, import_id }).sort({ at: 1 }).limit(MAX_PARTS);
    return joined(await cursor.toArray());
  };
  return {
    async notePart({ digest, ...part }) {
      const { source_id, import_id, first_row } = part;
      await putPart(collection, `${source_id}/${import_id}/${first_row}/${digest}`, part);
    },
    async lastImport(account_id) {
      const [last] = await collection.find({ account_id }).sort({ at: -1 }).limit(1).toArray();
      return last && find(account_id, last.source_id, last.import_id);
    },
    findImport: find,
    markUndone: (source_id, import_id, at) => markPartsUndone(collection, { source_id, import_id }, at),
  };
}

function joined(parts: readonly PartDocument[]): StoredImport | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const { _id, schema_version: _, at, undone_at, first_sequence: _first, ...rest } = first;
  return {
    ...rest,
    at: at.getTime(),
    undone_at: undone_at?.getTime() ?? null,
    first_row: Math.min(...parts.map((part) => part.first_row)),
    last_row: Math.max(...parts.map((part) => part.last_row)),
    accepted: parts.reduce((sum, part) => sum + part.accepted, 0),
    event_ids: [...new Set(parts.flatMap((part) => part.event_ids))],
    parts,
  };
}
