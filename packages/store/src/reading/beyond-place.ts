import type { mongo } from 'mongoose';

/** The place of a document in a list that is sorted by a time, then by `_id`. */
export interface Place {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly id: string;
}

/** The documents behind a place. `direction` is that of the list; `time` is how the documents store the time. */
export function beyondPlace<T>(
  field: string,
  direction: 1 | -1,
  { at, id }: Place,
  time: Date | number = new Date(at),
): mongo.Filter<T> {
  const [further, orSame] = direction === 1 ? (['$gt', '$gte'] as const) : (['$lt', '$lte'] as const);
  const filter = {
    // The bound on the time alone lets the index start at the place.
    [field]: { [orSame]: time },
    $or: [{ [field]: { [further]: time } }, { [field]: time, _id: { [further]: id } }],
  };
  return filter as mongo.Filter<unknown> as mongo.Filter<T>;
}
