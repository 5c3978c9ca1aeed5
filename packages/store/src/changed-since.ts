import type { mongo } from 'mongoose';
import { beyondPlace, type Place } from './reading/beyond-place.ts';

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

/** The filter of a page. Documents of earlier versions, which have no `updated_at`, are left out until they change. */
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
