import type { mongo } from 'mongoose';

/** MongoDB itself (and what acts like it), or DocumentDB: MongoDB's protocol on PostgreSQL. */
export type ServerKind = 'mongodb' | 'documentdb';

/** Asks the server what it is, once; where that throws, the next call asks again. */
export function createServerKind(db: () => mongo.Db): () => Promise<ServerKind> {
  let known: ServerKind | undefined;
  return async () => {
    known ??= kindOf(await db().command({ buildInfo: 1 }));
    return known;
  };
}

/**
 * By the answer to `buildInfo`. DocumentDB's gateway lists the versions of its extension (as Azure's does, formerly under
 * the product's old name), FerretDB before the same extension its own, and a gateway without either may say so in `gitVersion`.
 */
export function kindOf(buildInfo: mongo.Document): ServerKind {
  const { internal, ferretdb, gitVersion } = buildInfo;
  const versions = internal?.documentdb_versions ?? internal?.cosmos_versions ?? ferretdb;
  return versions !== undefined || gitVersion === 'documentdb' ? 'documentdb' : 'mongodb';
}
