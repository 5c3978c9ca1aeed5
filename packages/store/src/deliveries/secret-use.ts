import type { SignedWith } from '@sluice/contract/delivery/delivery';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import type { Connection, mongo } from 'mongoose';
import { nativeCollection } from '../writing/native-collection.ts';
import type { DeliveryDocument } from './deliveries.ts';

/** Use of a source's secrets since a rotation. Times are milliseconds since the Unix epoch. */
export interface SecretUseSeen {
  /** Time of the first request accepted with the current secret. */
  readonly firstAccepted: number | null;
  /** Time of the last request accepted with the previous secret. */
  readonly previousAccepted: number | null;
  readonly previousRefused: RefusedUse;
  readonly neitherRefused: RefusedUse;
}

export interface RefusedUse {
  readonly count: number;
  readonly last: number | null;
}

export interface SecretUse {
  /** `rotatedMs`: time of the rotation. Every part uses an index, so the size of the log doesn't matter. */
  since(sourceId: string, rotatedMs: number): Promise<SecretUseSeen>;
}

/** Short, because a user waits for the response. */
const MAX_TIME_MS = 5000;

/** Reads the delivery log. Call `createDeliveries` on the same connection first: it registers the model. */
export function createSecretUse(connection: Connection): SecretUse {
  const collection = nativeCollection(connection.model<DeliveryDocument>('Delivery'));
  const options = { maxTimeMS: MAX_TIME_MS };

  const instantOf = async (query: mongo.Filter<DeliveryDocument>, order: 1 | -1): Promise<number | null> => {
    const found = await collection
      .find(query, { ...options, projection: { received_at: 1 } })
      .sort({ received_at: order })
      .limit(1)
      .toArray();
    return found[0]?.received_at.getTime() ?? null;
  };

  const refused = async (
    sourceId: string,
    signedWith: SignedWith,
    rotatedMs: number,
  ): Promise<RefusedUse> => {
    const [found] = await collection
      .aggregate<{ count: number; last: Date }>(
        [
          { $match: signedRefused(sourceId, signedWith, rotatedMs) },
          { $group: { _id: null, count: { $sum: '$count' }, last: { $max: '$received_at' } } },
        ],
        options,
      )
      .toArray();
    return { count: found?.count ?? 0, last: found?.last.getTime() ?? null };
  };

  return {
    async since(sourceId, rotatedMs) {
      const [firstAccepted, previousAccepted, previousRefused, neitherRefused] = await Promise.all([
        instantOf(firstWithCurrent(sourceId, rotatedMs), 1),
        instantOf(acceptedWithPrevious(sourceId, rotatedMs), -1),
        refused(sourceId, 'previous', rotatedMs),
        refused(sourceId, 'neither', rotatedMs),
      ]);
      return { firstAccepted, previousAccepted, previousRefused, neitherRefused };
    },
  };
}

/** Only webhook requests: dashboard actions and imports aren't signed by a sender. */
export function firstWithCurrent(sourceId: string, rotatedMs: number): mongo.Filter<DeliveryDocument> {
  return {
    source_id: sourceId,
    received_at: { $gte: new Date(rotatedMs) },
    code: null,
    signed_with: { $exists: false },
    origin: { $exists: false },
  };
}

export function acceptedWithPrevious(sourceId: string, rotatedMs: number): mongo.Filter<DeliveryDocument> {
  return {
    source_id: sourceId,
    signed_with: 'previous',
    received_at: { $gte: new Date(rotatedMs) },
    code: null,
  };
}

/** A counter row has the start of its minute as its time, which may be before the rotation in that minute. */
export function signedRefused(
  sourceId: string,
  signedWith: SignedWith,
  rotatedMs: number,
): mongo.Filter<DeliveryDocument> {
  const minute = Math.floor(rotatedMs / MINUTE_MS) * MINUTE_MS;
  return {
    source_id: sourceId,
    signed_with: signedWith,
    received_at: { $gte: new Date(minute) },
    code: { $in: ['signature_invalid', 'too_many_bad_signatures'] },
    $or: [{ received_at: { $gte: new Date(rotatedMs) } }, { request_id: null }],
  };
}
