import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import type { mongo } from 'mongoose';
import type { ChangeDocument } from './outbound-changes.ts';

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
  /** A query looks at so many changes of the log at most. Default: LOOKED_AT. */
  readonly lookAt?: number;
}

export interface FittingChanges {
  readonly count: number;
  /** The lowest number of one that fits; null without any. */
  readonly first: number | null;
}

/** Those that fit may be few among millions. */
const LOOKED_AT = 20_000;
const MAX_TIME_MS = 5000;

type Collection = mongo.Collection<ChangeDocument>;

/** Counts among the first changes of the range. */
export async function countFitting(collection: Collection, query: FittingQuery): Promise<FittingChanges> {
  if (query.after >= query.upTo) return { count: 0, first: null };
  const last = await numberAt(collection, query, 1);
  const wanted = fitting({ ...query, upTo: last ?? query.upTo });
  const [count, [oldest]] = await Promise.all([
    collection.countDocuments(wanted, { limit: query.limit, maxTimeMS: MAX_TIME_MS }),
    collection
      .find(wanted, { projection: { number: 1 }, maxTimeMS: MAX_TIME_MS })
      .sort({ number: 1 })
      .limit(1)
      .toArray(),
  ]);
  return { count, first: oldest?.number ?? null };
}

/** Finds among the last changes of the range. */
export async function newestFitting(
  collection: Collection,
  query: FittingQuery,
): Promise<readonly ChangeDocument[]> {
  if (query.after >= query.upTo) return [];
  const first = await numberAt(collection, query, -1);
  const wanted = fitting({ ...query, after: Math.max(query.after, (first ?? 0) - 1) });
  const found = collection.find(wanted, { projection: { text: 0 }, maxTimeMS: MAX_TIME_MS });
  return found.sort({ number: -1 }).limit(query.limit).toArray();
}

/** The number of the change that is the last to look at, from the start (1) or from the end (-1). Undefined: there are fewer. */
async function numberAt(
  collection: Collection,
  query: FittingQuery,
  direction: 1 | -1,
): Promise<number | undefined> {
  const projection = { _id: 0, number: 1 };
  const found = collection.find(within(query), { projection, maxTimeMS: MAX_TIME_MS });
  const [last] = await found
    .sort({ number: direction })
    .skip((query.lookAt ?? LOOKED_AT) - 1)
    .limit(1)
    .toArray();
  return last?.number;
}

function within({ account_id, after, upTo }: FittingQuery): mongo.Filter<ChangeDocument> {
  return { account_id, number: { $exists: true, $gt: after, $lte: upTo } };
}

function fitting(query: FittingQuery): mongo.Filter<ChangeDocument> {
  const { since, parts } = query.fit;
  const wanted = parts
    .filter(({ after, upTo }) => upTo > query.after && after < query.upTo)
    .map(({ after, upTo, kinds, filter }) => ({
      ...{ number: { $gt: after, $lte: upTo }, kind: { $in: [...kinds] } },
      ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    }));
  return { ...within(query), at: { $gte: new Date(since) }, $or: wanted };
}
