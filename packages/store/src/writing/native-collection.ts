import type { Model, mongo } from 'mongoose';

/**
 * The driver's collection behind a model. It stores documents unchanged. Mongoose's own bulk writes silently drop fields
 * that they fail to cast (mongoose#14572).
 */
export function nativeCollection<T extends mongo.Document>(model: Model<T>): mongo.Collection<T> {
  // Mongoose types it as an untyped collection. At run time it is this class of the driver.
  return model.collection as unknown as mongo.Collection<T>;
}
