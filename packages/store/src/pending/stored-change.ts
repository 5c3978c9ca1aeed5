import type { PendingChange } from '@sluice/contract/message/change';

/**
 * A change in a document. Its parts are one JSON text, because the names of custom fields may be any text, and names in BSON
 * may not.
 */
export interface StoredChange {
  readonly sequence: number;
  readonly kind: PendingChange['kind'];
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  /** JSON of `actor`, `data`, `previous`, `note` and `request_id`. */
  readonly rest: string;
  /** Beside `rest`, which has it too, so that it can be found. */
  readonly request_id?: string;
}

export function toStoredChange({ sequence, kind, at, ...rest }: PendingChange): StoredChange {
  const { request_id } = rest;
  return {
    sequence,
    kind,
    at,
    rest: JSON.stringify(rest),
    ...(request_id !== undefined && { request_id }),
  };
}

export function fromStoredChange({ sequence, kind, at, rest }: StoredChange): PendingChange {
  return { sequence, kind, at, ...JSON.parse(rest) };
}

/** The part of an update that adds changes to a document. `$min` keeps the time of an older one that is not published yet. */
export function keptChanges(changes: readonly PendingChange[]) {
  return {
    $push: { untold: { $each: changes.map(toStoredChange) } },
    $min: { untold_at: new Date(Math.min(...changes.map(({ at }) => at))) },
  };
}
