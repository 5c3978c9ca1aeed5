import type { DeliveryPlace } from '@sluice/store/deliveries/delivery-search';
import * as z from 'zod';
import { placeTime } from '../http/cursor.ts';

/** The place of a row in the log, as a cursor has it. */
export const DELIVERY_PLACE = z
  .tuple([placeTime, z.int().nullable(), z.string()])
  .transform(
    ([received_at, sequence, delivery_id]): DeliveryPlace => ({ received_at, sequence, delivery_id }),
  );

/** What a cursor has of a row. */
export function placeOf({ received_at, sequence, delivery_id }: DeliveryPlace) {
  return [received_at, sequence, delivery_id];
}
