import type { DeliveryPlace } from '@sluice/store/deliveries/delivery-search';
import { decodeCursor } from '../http/cursor.ts';

type Place = readonly [receivedAt: number, sequence: number | null, deliveryId: string];

/** The place of a row in the log, as a cursor has it. */
export function placeOf({ received_at, sequence, delivery_id }: DeliveryPlace): Place {
  return [received_at, sequence, delivery_id];
}

/** Reads a cursor of the log; undefined if it is invalid. */
export function readPlace(cursor: string): DeliveryPlace | undefined {
  const place = decodeCursor(cursor, isPlace);
  if (place === undefined) return undefined;
  const [received_at, sequence, delivery_id] = place;
  return { received_at, sequence, delivery_id };
}

function isPlace(place: unknown): place is Place {
  if (!Array.isArray(place) || place.length !== 3) return false;
  const [receivedAt, sequence, deliveryId] = place as unknown[];
  const instant = Number.isSafeInteger(receivedAt) && Math.abs(receivedAt as number) <= 8.64e15;
  return instant && (sequence === null || Number.isSafeInteger(sequence)) && typeof deliveryId === 'string';
}
