import type { mongo } from 'mongoose';

/** MongoDB (or a compatible server), or DocumentDB, which speaks MongoDB's protocol on PostgreSQL. */
export type ServerKind = 'mongodb' | 'documentdb';

/** Asks the server for its kind once. After an error, the next call asks again. */
export function createServerKind(db: () => mongo.Db): () => Promise<ServerKind> {
  let known: ServerKind | undefined;
  return async () => {
    known ??= kindOf(await db().command({ buildInfo: 1 }));
    return known;
  };
}

/**
 * Reads the kind from the response to `buildInfo`. DocumentDB's gateway lists the versions of its extension. Azure's does
 * too, formerly under the product's old name. FerretDB, in front of the same extension, lists its own version. A gateway
 * without either may set `gitVersion`.
 */
export function kindOf(buildInfo: mongo.Document): ServerKind {
  const { internal, ferretdb, gitVersion } = buildInfo;
  const versions = internal?.documentdb_versions ?? internal?.cosmos_versions ?? ferretdb;
  return versions !== undefined || gitVersion === 'documentdb' ? 'documentdb' : 'mongodb';
}
