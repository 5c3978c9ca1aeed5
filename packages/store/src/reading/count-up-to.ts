import { mongo } from 'mongoose';

/** Longer is too many to count. Milliseconds. */
const COUNT_MS = 1000;
/** https://www.mongodb.com/docs/manual/reference/error-codes/ */
const MAX_TIME_EXPIRED = 50;

/** Counts documents up to `most`. A count that takes too long returns `most`: a slow server must not end a search for fewer. */
export async function countUpTo<T extends mongo.Document>(
  collection: Pick<mongo.Collection<T>, 'countDocuments'>,
  filter: mongo.Filter<T>,
  most: number,
): Promise<number> {
  try {
    return await collection.countDocuments(filter, { limit: most, maxTimeMS: COUNT_MS });
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === MAX_TIME_EXPIRED) return most;
    throw error;
  }
}
