import type { mongo } from 'mongoose';

/** The one document of the collection `meta`. */
export interface SchemaDocument {
  readonly _id: 'schema';
  /** How many migrations the database has gone through. */
  readonly version: number;
  /** The lowest version whose code can work with it. */
  readonly oldest_reader: number;
  /** Who runs a migration just now, and until when that is believed; null: nobody. */
  readonly locked_by: string | null;
  readonly locked_until: Date;
}

/** How a database fits the code that is to work with it. */
export type SchemaFit =
  | { readonly status: 'current' | 'older' | 'newer'; readonly version: number; readonly known: number }
  /** Of a version that this code would misread or damage. */
  | { readonly status: 'too_new'; readonly version: number; readonly known: number };

export function schemaCollection(db: mongo.Db): mongo.Collection<SchemaDocument> {
  return db.collection<SchemaDocument>('meta');
}

/** Compares the database with the version that the code knows. One that says nothing is of version 0. */
export async function readSchemaFit(db: mongo.Db, known: number): Promise<SchemaFit> {
  const document = await schemaCollection(db).findOne({ _id: 'schema' });
  const version = document?.version ?? 0;
  if ((document?.oldest_reader ?? 0) > known) return { status: 'too_new', version, known };
  return { status: version === known ? 'current' : version < known ? 'older' : 'newer', version, known };
}

/** What whoever started an older Sluice on a newer database should do. */
export function whyTooNew({ version, known }: { readonly version: number; readonly known: number }): string {
  return (
    `The database is of version ${version}, which this version of Sluice (${known}) cannot read. ` +
    'Start the newer version of Sluice again, or restore the backup from before its upgrade: docs/operations.md.'
  );
}
