import { EVENT_ORIGINS, EVENT_STATUSES, forEachField } from '@sluice/contract/event/event-fields';
import { shownFields } from '@sluice/contract/event/event-record';
import * as z from 'zod';
import { flagInput, instantInput, instantText, pageOf, pageQuery } from './common.ts';
import { deliveryItem } from './deliveries.ts';

export const eventItem = z.object({
  event_id: z.string(),
  source_id: z.string(),
  source_name: z.string(),
  /** Its source was deleted, and its events were kept. */
  source_deleted: z.boolean(),
  ...shownFields,
  /** The start of the last occurrence; null if there is no end, or none is known. */
  recurs_until: instantText.nullable(),
  /** The IANA time zone of a series; null if none is known. */
  time_zone: z.string().nullable(),
  /** How the current content arrived; null once deleted. */
  origin: z.enum(EVENT_ORIGINS).nullable(),
  created_at: instantText.nullable(),
  updated_at: instantText.nullable(),
  deleted_at: instantText.nullable(),
});
export type EventItem = z.infer<typeof eventItem>;

export const eventPage = pageOf(eventItem);
export type EventPage = z.infer<typeof eventPage>;

/** Ordered by `starts_at`: earliest first, or latest first for `when=past`. */
export const eventQuery = z.object({
  source_id: z.string().optional(),
  /** Part of title or location, case-insensitive. */
  q: z.string().max(200).optional(),
  status: z.enum(EVENT_STATUSES).optional(),
  origin: z.enum(EVENT_ORIGINS).optional(),
  /** Only what this import was the last one to bring. */
  import_id: z.string().max(64).optional(),
  /** A recurring event is upcoming until its last occurrence, any other until its start. */
  when: z.enum(['upcoming', 'past', 'all']).optional(),
  from: instantInput.optional(),
  to: instantInput.optional(),
  /** Also returns deleted events, until they are forgotten. */
  include_deleted: flagInput.optional(),
  /** `true`: only series. */
  recurring: flagInput.optional(),
  ...pageQuery.shape,
});
export type EventQuery = z.input<typeof eventQuery>;

/** The delivery whose content a restore gives to a deleted event. */
export const restoresFrom = z.object({
  delivery_id: z.string(),
  received_at: instantText,
  /** False: the event was changed later, and the bodies of those changes are not stored. */
  is_latest: z.boolean(),
});
export type RestoresFrom = z.infer<typeof restoresFrom>;

/** An event with the deliveries that affected it, newest first (at most 100). */
export const eventDetail = z.object({
  event: eventItem,
  history: z.array(deliveryItem),
  /** Null: no delivery has the content, or the event is not deleted. */
  restores_from: restoresFrom.nullable(),
});
export type EventDetail = z.infer<typeof eventDetail>;

const fieldText = z.string().max(20_000);

/** The fields of an event as an upsert of the webhook has them. An absent or empty field is cleared. */
export const eventFields = z.object({
  ...forEachField(() => fieldText.optional()),
  title: fieldText,
  starts_at: fieldText,
});

/**
 * Changes an event. Title, start and location identify an event, so changing one of them creates an event and deletes the
 * old one. 409 `conflict`: the event was changed since the user saw it, or another event has this identity.
 */
export const eventEdit = z.object({
  /** The `updated_at` that the user saw. */
  seen: z.string().nullable(),
  event: eventFields,
});
export type EventEdit = z.input<typeof eventEdit>;

/** `event_id` is new if title, start or location was changed. */
export const eventEdited = z.object({ event_id: z.string(), delivery_id: z.string() });
export type EventEdited = z.infer<typeof eventEdited>;

/** The action has its place in the order. It is applied shortly, like an action from the webhook. */
export const eventActionAccepted = z.object({ delivery_id: z.string() });
export type EventActionAccepted = z.infer<typeof eventActionAccepted>;
