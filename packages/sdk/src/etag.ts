/** The ETags of the records that calls returned. An entry goes with its record. */
const tags = new WeakMap<object, string>();

/** Remembers the ETag of a response for its record. */
export function keepEtag(record: unknown, { headers }: Pick<Response, 'headers'>): void {
  const tag = headers.get('etag');
  if (tag !== null && typeof record === 'object' && record !== null) tags.set(record, tag);
}

/**
 * The ETag of a record, for `ifMatch`. Pass the object that a call returned for one record, such as `leads.get`.
 * @throws TypeError for a copy and for an item of a list, which have none. Without a tag the change would not be guarded.
 */
export function etagOf(record: object): string {
  const tag = tags.get(record);
  if (tag === undefined)
    throw new TypeError(
      'This object has no ETag. Pass what get, create, update or move returned, not a copy or an item of a list.',
    );
  return tag;
}
