import { SENT_CONTENT_FIELDS } from '@sluice/contract/event/event-fields';
import * as z from 'zod';

/** The fields that a delivery can change. Title, start and location identify the event, so they never change. */
export const CHANGING_FIELDS = ['status', ...SENT_CONTENT_FIELDS] as const;
export type ChangingField = (typeof CHANGING_FIELDS)[number];

/** Why a change is not fully known. */
export const UNKNOWN_CHANGES = [
  'body_not_kept',
  'body_before_not_kept',
  'before_left_log',
  'before_not_listed',
] as const;
export type UnknownChange = (typeof UNKNOWN_CHANGES)[number];

export const fieldChange = z.object({
  field: z.enum(CHANGING_FIELDS),
  /** null: the field was empty. Absent: the value is unknown. */
  before: z.string().nullable().optional(),
  /** null: the delivery removed the value. */
  after: z.string().nullable(),
});
export type FieldChange = z.infer<typeof fieldChange>;

/** The changes that one delivery made to its event, as far as the delivery log shows. */
export const deliveryChange = z.object({
  delivery_id: z.string(),
  /** `brought_back`: created again after it had been deleted. */
  did: z.enum(['created', 'brought_back', 'updated', 'cancelled', 'deleted', 'nothing']),
  fields: z.array(fieldChange),
  /** null: `fields` lists every change. */
  unknown: z.enum(UNKNOWN_CHANGES).nullable(),
});
export type DeliveryChange = z.infer<typeof deliveryChange>;

/** The changes of each delivery in an event's history, newest first. */
export const eventChanges = z.object({ items: z.array(deliveryChange) });
export type EventChanges = z.infer<typeof eventChanges>;
