import * as z from 'zod';
import { EVENT_STATUSES } from '../event/event-fields.ts';
import { instantParameter, pageParameters } from './public-list.ts';

/** The orders of a list of events. The index that the list reads has no other. */
export const EVENT_SORTS = ['starts_at', '-starts_at'] as const;

/** The query of the list of events in the public API. */
export const eventListQuery = z.strictObject({
  ...pageParameters,
  sort: z.enum(EVENT_SORTS).default('starts_at').meta({
    description: 'Earliest start first, or latest start first.',
  }),
  source: z.string().max(64).optional().meta({ description: 'Id of an event source.' }),
  status: z.enum(EVENT_STATUSES).optional(),
  starts_from: instantParameter.optional().meta({
    description: 'Only events that start at or after this instant. A series counts with its first start.',
  }),
  starts_until: instantParameter.optional().meta({
    description: 'Only events that start before this instant. A series counts with its first start.',
  }),
});
