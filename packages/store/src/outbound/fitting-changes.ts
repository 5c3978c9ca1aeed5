import type { ChangeKind } from '@sluice/contract/message/event-kinds';

/** Which changes of its account's log a subscription gets. */
export interface LogFit {
  /** Those that were made at this time or later. Milliseconds since the Unix epoch. */
  readonly since: number;
  /** An edit of a subscription holds from a number on. */
  readonly parts: readonly LogPartFit[];
}

interface LogPartFit {
  readonly after: number;
  readonly upTo: number;
  readonly kinds: readonly ChangeKind[];
  readonly filter: { readonly [value in 'source_id' | 'channel_id' | 'stage']?: string | undefined };
}

/** Selects changes of a log with numbers above `after` up to `upTo`. */
export interface FittingQuery {
  readonly account_id: string;
  readonly after: number;
  readonly upTo: number;
  readonly fit: LogFit;
  readonly limit: number;
  /** A query looks at so many changes of the log at most, because those that fit may be few among millions. Default: LOOKED_AT. */
  readonly lookAt?: number;
}

export interface FittingChanges {
  readonly count: number;
  /** The lowest number of one that fits; null without any. */
  readonly first: number | null;
  /** Further changes of the range were not looked at. */
  readonly isCut: boolean;
}

export const LOOKED_AT = 20_000;

/** Pure. Selects all changes of the range. */
export function within({ account_id, after, upTo }: Pick<FittingQuery, 'account_id' | 'after' | 'upTo'>) {
  return { account_id, number: { $exists: true, $gt: after, $lte: upTo } };
}

/** Pure. Selects those that fit. */
export function fitting(query: FittingQuery) {
  const { since, parts } = query.fit;
  const wanted = parts
    .filter(({ after, upTo }) => upTo > query.after && after < query.upTo)
    .map(({ after, upTo, kinds, filter }) => ({
      ...{ number: { $gt: after, $lte: upTo }, kind: { $in: [...kinds] } },
      ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    }));
  return { ...within(query), at: { $gte: new Date(since) }, $or: wanted };
}
