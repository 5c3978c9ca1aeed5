import type { Model, mongo } from 'mongoose';

/**
 * The driver's collection behind a model: what is written is stored exactly as it is. Mongoose's own bulk writes
 * leave out, without a word, what they fail to cast (mongoose#14572).
 */
export function nativeCollection<T extends mongo.Document>(model: Model<T>): mongo.Collection<T> {
  // Mongoose types it as a collection of anything; it is this very class of the driver.
  return model.collection as unknown as mongo.Collection<T>;
}
