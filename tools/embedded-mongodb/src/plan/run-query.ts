import { fieldsDecoder } from '../bson/decode-fields.ts';
import type { KeyField } from '../order/key-fields.ts';
import { matches } from '../query/filter.ts';
import type { Query } from '../query/query.ts';
import { sortedBy } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import type { StoredDocument } from '../storage/stored-document.ts';
import type { Interval } from './bounds.ts';
import { choosePlan, type IndexPlan, type Plan } from './plan.ts';

export interface QueryRange {
  readonly sort: readonly KeyField[];
  readonly skip: number;
  /** 0 means no limit. */
  readonly limit: number;
}

export const EVERYTHING: QueryRange = { sort: [], skip: 0, limit: 0 };

/** The result and the cost of a query. */
export interface QueryResult {
  readonly documents: StoredDocument[];
  readonly plan: Plan;
  readonly keysExamined: number;
  readonly documentsExamined: number;
}

/** Runs a query. Later changes of the collection do not affect the result. */
export function runQuery(
  collection: Collection,
  query: Query,
  { sort, skip, limit }: QueryRange,
): QueryResult {
  const plan = choosePlan(query.filter, sort, collection.indexes);
  const mustSort = sort.length > 0 && !(plan.kind === 'index' && plan.sorted);
  const wanted = mustSort || limit === 0 ? Number.POSITIVE_INFINITY : skip + limit;
  const found: StoredDocument[] = [];
  let seen = 0;
  for (const stored of candidates(collection, plan)) {
    if (found.length >= wanted) break;
    seen++;
    if (plan.exact || matches(query.filter, query.decode(stored.bytes))) found.push(stored);
  }
  const ordered = mustSort ? sorted(found, sort) : found;
  return {
    documents:
      skip === 0 && limit === 0 ? ordered : ordered.slice(skip, limit === 0 ? undefined : skip + limit),
    plan,
    keysExamined: plan.kind === 'index' ? seen : 0,
    documentsExamined: plan.exact && plan.kind === 'index' ? 0 : seen,
  };
}

function sorted(found: readonly StoredDocument[], sort: readonly KeyField[]): StoredDocument[] {
  const decode = fieldsDecoder(new Set(sort.map(({ path }) => path[0] as string)));
  return sortedBy(found, sort, (stored) => decode(stored.bytes));
}

/** Every document that the plan selects, each once. */
function candidates(collection: Collection, plan: Plan): Iterable<StoredDocument> {
  if (plan.kind === 'scan') return collection.documents;
  const intervals = plan.reverse ? plan.intervals.toReversed() : plan.intervals;
  if (!plan.single) return within(plan, intervals);
  const { byKey } = plan.index;
  return intervals.flatMap(({ from }) => byKey?.get(from) ?? []);
}

function* within(plan: IndexPlan, intervals: readonly Interval[]): Generator<StoredDocument> {
  const { entries } = plan.index;
  const seen = plan.index.arrayFields.size > 0 ? new Set<StoredDocument>() : null;
  for (const { from, to } of intervals) {
    for (const [, stored] of entries.range(from, to, plan.reverse)) {
      if (seen?.has(stored)) continue;
      seen?.add(stored);
      yield stored;
    }
  }
}
