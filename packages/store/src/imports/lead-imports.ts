import type { Connection } from 'mongoose';
import { type LogTtl, withLogTtl } from '../deliveries/log-ttl.ts';
import { nativeSchema, registerCollection } from '../writing/native-collection.ts';
import { markPartsUndone, type PartFields, putPart } from './import-parts.ts';

/** The rows of an import of leads that arrived in one request. Contains ids only, so that an erasure leaves nothing here. */
export interface LeadImportPart {
  readonly account_id: string;
  readonly import_id: string;
  /** Number of its first row, which identifies the part within the import. */
  readonly first_row: number;
  readonly last_row: number;
  readonly file_name: string;
  /** Email address of the user who imported the file. */
  readonly by: string;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** The leads that its rows created or matched. Their history has the changes. */
  readonly lead_ids: readonly string[];
}

/** A part in the form that is recorded: before, while and after its rows take effect. */
export interface NotedPart extends LeadImportPart {
  /** The leads that its rows may make or match. Empty once they have taken effect: then `lead_ids` has all. Absent: as before. */
  readonly new_ids?: readonly string[];
}

/** A whole import, joined from the parts received so far. Of an unfinished part it has the leads that its rows may make or match. */
export interface StoredLeadImport extends LeadImportPart {
  readonly undone_at: number | null;
}

export interface LeadImports {
  /**
   * Records a part. A repeated part replaces the first, but leads are only added, because the first may have changed them.
   * Returns whether it is a repeat.
   */
  notePart(part: NotedPart): Promise<boolean>;
  /** Undefined if the account has no import, or if it has expired. */
  lastImport(accountId: string): Promise<StoredLeadImport | undefined>;
  findImport(accountId: string, importId: string): Promise<StoredLeadImport | undefined>;
  /** `at`: milliseconds since the Unix epoch. */
  markUndone(accountId: string, importId: string, at: number): Promise<void>;
}

interface PartDocument extends PartFields, Omit<LeadImportPart, 'at'> {
  /** Absent in older parts. */
  readonly new_ids?: readonly string[];
}

/** Limit on the parts read for one import. A file of the most rows has about 60. */
const MAX_PARTS = 200;

function partSchema(ttl: LogTtl) {
  const schema = nativeSchema<PartDocument>()
    .index({ account_id: 1, at: -1 })
    .index({ account_id: 1, import_id: 1 });
  return withLogTtl(schema, 'at', ttl);
}

/** Stores imports of leads for as long as the delivery log is kept. */
export function createLeadImports(connection: Connection, ttl: LogTtl): LeadImports {
  const schema = partSchema(ttl);
  const collection = registerCollection(connection, 'LeadImportPart', schema, 'lead_imports');
  const find = async (account_id: string, import_id: string) => {
    const cursor = collection.find({ account_id, import_id }).sort({ first_row: 1 }).limit(MAX_PARTS);
    return joined(await cursor.toArray());
  };
  return {
    notePart: ({ lead_ids, ...part }) =>
      putPart(collection, `${part.account_id}/${part.import_id}/${part.first_row}`, part, { lead_ids }),
    async lastImport(account_id) {
      const [last] = await collection.find({ account_id }).sort({ at: -1 }).limit(1).toArray();
      return last && find(account_id, last.import_id);
    },
    findImport: find,
    markUndone: (account_id, import_id, at) => markPartsUndone(collection, { account_id, import_id }, at),
  };
}

function joined(parts: readonly PartDocument[]): StoredLeadImport | undefined {
  const [first] = parts;
  if (first === undefined) return undefined;
  const { _id, schema_version: _, at, undone_at, new_ids: __, ...rest } = first;
  return {
    ...rest,
    at: at.getTime(),
    undone_at: undone_at?.getTime() ?? null,
    last_row: Math.max(...parts.map((part) => part.last_row)),
    lead_ids: [...new Set(parts.flatMap(({ lead_ids, new_ids = [] }) => [...lead_ids, ...new_ids]))],
  };
}
