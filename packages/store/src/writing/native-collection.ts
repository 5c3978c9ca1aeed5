import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import { DUPLICATE_KEY, refusedWrites } from './write-errors.ts';

/** A schema without casts: documents are stored unchanged. Their types are beside their functions. */
export function nativeSchema<T>(): Schema<T> {
  return new Schema<T>({ _id: String }, { strict: false, versionKey: false });
}

/** The options of an index of only those documents that have a field. */
export const isSet = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

/**
 * The driver's collection behind a model. It stores documents unchanged. Mongoose's own bulk writes silently drop fields
 * that they fail to cast (mongoose#14572).
 */
export function nativeCollection<T extends mongo.Document>(model: Model<T>): mongo.Collection<T> {
  // Mongoose types it as an untyped collection. At run time it is this class of the driver.
  return model.collection as unknown as mongo.Collection<T>;
}

/** Registers a model, so that its indexes are made. Returns the collection behind it. */
export function registerCollection<T extends mongo.Document>(
  connection: Connection,
  model: string,
  schema: Schema<T>,
  name: string,
): mongo.Collection<T> {
  return nativeCollection(connection.model<T>(model, schema, name));
}

/** Inserts documents in one round trip. Those with an existing key stay unchanged. If it rejects, some may be stored. */
export async function insertNew<T extends mongo.Document>(
  collection: mongo.Collection<T>,
  documents: readonly mongo.OptionalUnlessRequiredId<T>[],
  options: mongo.BulkWriteOptions = {},
): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany(documents, { ...options, ordered: false });
  } catch (error) {
    if (refusedWrites(error).some(({ code }) => code !== DUPLICATE_KEY)) throw error;
  }
}
