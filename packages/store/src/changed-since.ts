import type { mongo } from 'mongoose';
import { beyondPlace, type Place } from './reading/beyond-place.ts';

/**
 * The time of a change is that of the server's clock while it runs the write, however long the write waited in a process, a network or
 * the server before. `CHANGE_WRITE` ends every such write within WRITE_MS. So every change of before `serverTime() - SETTLED_MS`
 * has ended, and a list shows it.
 */
export const CHANGED_NOW = { $currentDate: { updated_at: true } } as const;
/** How long a write may run on the server. Milliseconds. */
export const WRITE_MS = 10_000;
/** Options of each write of records that are listed by change. */
export const CHANGE_WRITE = { maxTimeMS: WRITE_MS } as const;
/** The margin is for clocks of servers that take over from each other, and for a clock that is set. Milliseconds. */
export const SETTLED_MS = WRITE_MS + 10_000;

/** The clock of the server that lists are read from. Milliseconds since the Unix epoch. */
export async function serverTime(db: mongo.Db): Promise<number> {
  const { localTime } = await db.command({ hello: 1 });
  return (localTime as Date).getTime();
}

/**
 * The parts of an update that inserts a document with the server's time, which an insert can't set. The filter matches nothing. It
 * fails with DUPLICATE_KEY if the id exists.
 */
export function insertedNow<T extends { readonly _id: string }>({ _id, ...fields }: T) {
  return {
    filter: { _id, schema_version: 0 } as unknown as mongo.Filter<T>,
    update: { $set: fields, ...CHANGED_NOW } as unknown as mongo.UpdateFilter<T>,
    upsert: true,
  };
}

/** A page of a list in the order of `updated_at`, then `_id`. */
export interface ChangedPage {
  readonly descending: boolean;
  /** Earliest change, included. Milliseconds since the Unix epoch. */
  readonly updatedSince?: number | undefined;
  /** The place of the last item of the previous page. */
  readonly after?: Place | undefined;
  readonly limit: number;
}

const directionOf = ({ descending }: Pick<ChangedPage, 'descending'>) => (descending ? -1 : 1);

/** The filter of a page. */
export function changedSince<T>(
  equal: mongo.Filter<T>,
  { updatedSince = 0, after, ...page }: Omit<ChangedPage, 'limit'>,
): mongo.Filter<T> {
  const since = { updated_at: { $gte: new Date(updatedSince) } } as mongo.Filter<unknown> as mongo.Filter<T>;
  const beyond = after === undefined ? [] : [beyondPlace<T>('updated_at', directionOf(page), after)];
  return { $and: [equal, since, ...beyond] } as mongo.Filter<T>;
}

/** The order of a page, which an index has. */
export function changedOrder(page: Pick<ChangedPage, 'descending'>) {
  return { updated_at: directionOf(page), _id: directionOf(page) } as const;
}
