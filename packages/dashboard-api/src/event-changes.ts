import * as z from 'zod';

/** What a delivery can change of an event. Title, start and location are what identifies it: they never change. */
export const CHANGING_FIELDS = ['status', 'ends_at', 'description', 'url', 'price', 'recurring'] as const;
export type ChangingField = (typeof CHANGING_FIELDS)[number];

/** Why a change is not known in full. */
export const UNKNOWN_CHANGES = [
  'body_not_kept',
  'body_before_not_kept',
  'before_left_log',
  'before_not_listed',
] as const;
export type UnknownChange = (typeof UNKNOWN_CHANGES)[number];

export const fieldChange = z.object({
  field: z.enum(CHANGING_FIELDS),
  /** null: there was none. Absent: it is not known. */
  before: z.string().nullable().optional(),
  /** null: it was removed. */
  after: z.string().nullable(),
});
export type FieldChange = z.infer<typeof fieldChange>;

/** What one delivery changed of its event, as far as the delivery log tells. */
export const deliveryChange = z.object({
  delivery_id: z.string(),
  /** `brought_back`: created again after it was deleted. */
  did: z.enum(['created', 'brought_back', 'updated', 'cancelled', 'deleted', 'nothing']),
  fields: z.array(fieldChange),
  /** null: `fields` is all that it changed. */
  unknown: z.enum(UNKNOWN_CHANGES).nullable(),
});
export type DeliveryChange = z.infer<typeof deliveryChange>;

/** Of each delivery in an event's history, newest first. */
export const eventChanges = z.object({ items: z.array(deliveryChange) });
export type EventChanges = z.infer<typeof eventChanges>;
