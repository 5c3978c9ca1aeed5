import type { mongo } from 'mongoose';

/** The one document of the collection `meta`. */
export interface SchemaDocument {
  readonly _id: 'schema';
  /** Number of migrations applied to the database. */
  readonly version: number;
  /** The lowest version whose code can work with the database. */
  readonly oldest_reader: number;
  /** The process that runs a migration, until its lock expires; null if none does. */
  readonly locked_by: string | null;
  readonly locked_until: Date;
}

/** Compares the database's version with the code's. */
export type SchemaFit =
  | { readonly status: 'current' | 'older' | 'newer'; readonly version: number; readonly known: number }
  /** This code would misread or damage the database. */
  | { readonly status: 'too_new'; readonly version: number; readonly known: number };

export function schemaCollection(db: mongo.Db): mongo.Collection<SchemaDocument> {
  return db.collection<SchemaDocument>('meta');
}

/** Compares the database with the version that the code knows. A database without a version is version 0. */
export async function readSchemaFit(db: mongo.Db, known: number): Promise<SchemaFit> {
  const document = await schemaCollection(db).findOne({ _id: 'schema' });
  const version = document?.version ?? 0;
  if ((document?.oldest_reader ?? 0) > known) return { status: 'too_new', version, known };
  return { status: version === known ? 'current' : version < known ? 'older' : 'newer', version, known };
}

/** Writes a document beside the version and deletes it. */
export async function proveWrites(db: mongo.Db): Promise<void> {
  const collection = db.collection<{ readonly _id: string; readonly at: Date }>('meta');
  await collection.updateOne({ _id: 'doctor' }, { $set: { at: new Date() } }, { upsert: true });
  await collection.deleteOne({ _id: 'doctor' });
}

/** Explains what to do if an older Sluice was started on a newer database. */
export function whyTooNew({ version, known }: { readonly version: number; readonly known: number }): string {
  return (
    `The database has schema version ${version}, which this version of Sluice (schema version ${known}) can't read. ` +
    'Start the newer version of Sluice again, or restore the backup from before its upgrade: docs/operations.md.'
  );
}
