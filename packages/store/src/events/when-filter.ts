import { RECURRENCES } from '@sluice/contract/event/event-fields';
import type { mongo } from 'mongoose';
import type { EventDocument } from './event-document.ts';

/** Selects events by whether they are over. */
export interface When {
  /** A recurring event is upcoming until the start of its last occurrence, any other until its start. */
  readonly is: 'upcoming' | 'past';
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** The index of recurring events has only these (events.ts). The filter must name the values, so that the index serves it. */
const RECURS = { recurring: { $in: [...RECURRENCES] } };

/** Selects series that began before `now` (milliseconds since the Unix epoch) and go on. */
export function runningSeries(now: number): mongo.Filter<EventDocument> {
  const at = new Date(now);
  const goesOn = { $or: [{ recurs_until: { $exists: false } }, { recurs_until: { $gte: at } }] };
  return { starts_at: { $lt: at }, ...RECURS, ...goesOn };
}

export function whenFilter({ is, now }: When): mongo.Filter<EventDocument> {
  const at = new Date(now);
  if (is === 'past')
    return {
      starts_at: { $lt: at },
      $or: [{ recurring: { $exists: false } }, { recurs_until: { $lt: at } }],
    };
  return { $or: [{ starts_at: { $gte: at } }, runningSeries(now)] };
}
