import { isMongoAway } from '@sluice/store/connection/mongo-away';
import { mongoRefusal } from '@sluice/store/connection/mongo-refusal';

/**
 * Whether the result of a look of the sweeper is worth a log line. null is a success. The connection itself logs that MongoDB
 * is away or refuses, once.
 */
export function isUnexpected(error: unknown): boolean {
  return error !== null && !isMongoAway(error) && mongoRefusal(error) === undefined;
}
