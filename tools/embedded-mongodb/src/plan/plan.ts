import type { KeyField } from '../order/key-fields.ts';
import { valueKey } from '../order/value-key.ts';
import { type Condition, type Filter, isConjunction, requiredConditions } from '../query/filter.ts';
import type { DocumentIndex } from '../storage/document-index.ts';
import { ID_INDEX } from '../storage/index-definition.ts';
import { AFTER, type FieldBounds, fieldBounds, type Interval } from './bounds.ts';
import { implies } from './implication.ts';

/** A plan that uses one index. */
export interface IndexPlan {
  readonly kind: 'index';
  readonly index: DocumentIndex;
  /** Ascending and disjoint, so reading them one by one gives index order. */
  readonly intervals: readonly Interval[];
  readonly reverse: boolean;
  /** The index returns the documents in the requested order. */
  readonly sorted: boolean;
  /** The intervals contain exactly the matching documents, so no document needs a test. */
  readonly exact: boolean;
  /** No interval contains more than one document. */
  readonly single: boolean;
}

export type Plan = IndexPlan | { readonly kind: 'scan'; readonly exact: boolean };

/** Limit of intervals (a product of several $in). Beyond it the plan omits the later fields. */
const MAX_INTERVALS = 20_000;

/** The best plan for a filter: most equality fields first, then order, then a range. Otherwise a scan of all documents. */
export function choosePlan(
  filter: Filter,
  sort: readonly KeyField[],
  indexes: ReadonlyMap<string, DocumentIndex>,
): Plan {
  const byId = sort.length === 0 ? planById(filter, indexes.get(ID_INDEX.name)) : null;
  if (byId !== null) return byId;
  const conditions = requiredConditions(filter);
  let best: { plan: IndexPlan; score: number } | undefined;
  for (const index of indexes.values()) {
    const candidate = planFor(index, { filter, conditions, sort });
    if (candidate && candidate.score > (best?.score ?? 0)) best = candidate;
    // No plan is better than one that selects single documents.
    if (candidate?.plan.single) break;
  }
  return best?.plan ?? { kind: 'scan', exact: isEmpty(filter) };
}

/** A shortcut with the result of planFor, because most commands select a document with a text as its `_id`. */
function planById(filter: Filter, index: DocumentIndex | undefined): IndexPlan | null {
  const clauses = filter.kind === 'and' ? filter.clauses : [filter];
  const named = clauses.find(isTextId);
  if (named === undefined || index === undefined) return null;
  const key = valueKey(named.operand);
  return {
    kind: 'index',
    index,
    intervals: [{ from: key, to: key + AFTER }],
    reverse: false,
    sorted: false,
    exact: clauses.length === 1,
    single: true,
  };
}

function isTextId(clause: Filter): clause is Condition {
  return (
    clause.kind === 'condition' &&
    clause.operator === '$eq' &&
    typeof clause.operand === 'string' &&
    clause.path.length === 1 &&
    clause.path[0] === '_id'
  );
}

interface Wanted {
  readonly filter: Filter;
  readonly conditions: readonly Condition[];
  readonly sort: readonly KeyField[];
}

function planFor(
  index: DocumentIndex,
  { filter, conditions, sort }: Wanted,
): { plan: IndexPlan; score: number } | undefined {
  const { definition, arrayFields } = index;
  const multikey = arrayFields.size > 0;
  if (!implies(conditions, definition)) return undefined;
  const bounds = boundsOf(index, conditions);
  const pointFields = bounds.filter(({ kind }) => kind === 'points').length;
  const fixed = definition.fields.slice(0, pointFields).filter((_, i) => bounds[i]?.intervals.length === 1);
  // A document with an array in a field of the sort has no single place in the index.
  const sortable = sort.length > 0 && !sort.some(({ name }) => arrayFields.has(name));
  const order = sortable ? indexOrder(definition.fields, fixed, sort) : null;
  const used = new Set(bounds.flatMap((bound) => bound.used));
  const whole = definition.unique && pointFields === definition.fields.length;
  const plan: IndexPlan = {
    kind: 'index',
    index,
    intervals: combined(bounds),
    reverse: order === 'reverse',
    sorted: order !== null,
    exact: !multikey && isConjunction(filter) && conditions.every((condition) => used.has(condition)),
    single: whole && !multikey,
  };
  const score =
    (whole ? 100 : 0) + pointFields * 10 + (order ? 5 : 0) + (bounds.length > pointFields ? 4 : 0);
  return { plan, score };
}

/** Bounds of the leading fields: any number of equalities, then at most one range. */
function boundsOf(
  { definition, arrayFields }: DocumentIndex,
  conditions: readonly Condition[],
): FieldBounds[] {
  const result: FieldBounds[] = [];
  let count = 1;
  for (const { name, direction } of definition.fields) {
    const bounds = fieldBounds(
      conditions.filter(({ path }) => path.join('.') === name),
      direction,
      arrayFields.has(name),
    );
    if (!bounds || count * bounds.intervals.length > MAX_INTERVALS) break;
    result.push(bounds);
    count *= bounds.intervals.length;
    if (bounds.kind === 'range') break;
  }
  return result;
}

function combined(bounds: readonly FieldBounds[]): Interval[] {
  let prefixes = [''];
  for (const [i, bound] of bounds.entries()) {
    if (i === bounds.length - 1)
      return prefixes.flatMap((prefix) =>
        bound.intervals.map(({ from, to }) => ({ from: prefix + from, to: prefix + to })),
      );
    prefixes = prefixes.flatMap((prefix) => bound.intervals.map(({ from }) => prefix + from));
  }
  return [{ from: '', to: AFTER }];
}

/** How an index gives the order of a sort: forward, in reverse, or not at all. Fields fixed to one value do not count. */
function indexOrder(
  fields: readonly KeyField[],
  fixed: readonly KeyField[],
  sort: readonly KeyField[],
): 'forward' | 'reverse' | null {
  const fixedNames = new Set(fixed.map(({ name }) => name));
  const wanted = sort.filter(({ name }) => !fixedNames.has(name));
  const given = fields.filter(({ name }) => !fixedNames.has(name));
  const directions = new Set(
    wanted.map((field, i) => (given[i]?.name === field.name ? given[i].direction * field.direction : 0)),
  );
  if (directions.size > 1 || directions.has(0)) return null;
  return directions.has(-1) ? 'reverse' : 'forward';
}

function isEmpty(filter: Filter): boolean {
  return filter.kind === 'and' && filter.clauses.every(isEmpty);
}
