import { numberOf, typeOf } from '../bson/types.ts';
import { bracketKey, inverted, NULL_KEY, valueKey } from '../order/value-key.ts';
import type { Condition } from '../query/filter.ts';

/** An interval of keys: from <= key < to. */
export interface Interval {
  readonly from: string;
  readonly to: string;
}

/** The part of an index that the conditions on one field select. */
export interface FieldBounds {
  readonly kind: 'points' | 'range';
  /** Ascending and disjoint. */
  readonly intervals: readonly Interval[];
  /** The conditions that the intervals express exactly. */
  readonly used: readonly Condition[];
}

const RANGES = new Set(['$gt', '$gte', '$lt', '$lte']);
/** Kinds whose comparison is exactly that of their keys. */
const SCALARS = new Set(['double', 'int', 'long', 'string', 'objectId', 'bool', 'date']);
const NAN_KEY = valueKey(Number.NaN);
/** Greater than anything that may follow a field's key: the next field's kind (at most FE) or the separator of the record. */
export const AFTER = '\xff';

/**
 * The intervals of an index field that can contain matching documents, or null for the whole index. In a field with arrays one
 * value may satisfy one condition and another value the next, so only one condition is used.
 */
export function fieldBounds(
  conditions: readonly Condition[],
  direction: 1 | -1,
  multikey: boolean,
): FieldBounds | null {
  const point = conditions.find((c) => pointKeys(c, multikey) !== null);
  const keys = point && pointKeys(point, multikey);
  if (point && keys) return { kind: 'points', intervals: points(keys, direction), used: [point] };
  const ranges = conditions.filter(
    (c) => RANGES.has(c.operator) && SCALARS.has(typeOf(c.operand)) && !Number.isNaN(numberOf(c.operand)),
  );
  const first = ranges[0];
  if (!first) return null;
  const bracket = bracketKey(first.operand);
  const used = multikey ? [first] : ranges.filter((c) => bracketKey(c.operand) === bracket);
  return { kind: 'range', intervals: [range(used, bracket, direction)], used };
}

/** The keys of an $eq or $in. Null if the index cannot answer it (arrays, expressions, null in arrays). */
function pointKeys({ operator, operand }: Condition, multikey: boolean): string[] | null {
  const values =
    operator === '$eq'
      ? [operand]
      : operator === '$in' && Array.isArray(operand)
        ? (operand as unknown[])
        : null;
  if (!values) return null;
  const answerable = values.every((value) => {
    const type = typeOf(value);
    return type !== 'array' && !(multikey && (type === 'null' || type === 'missing'));
  });
  return answerable ? values.map((value) => (value === undefined ? NULL_KEY : valueKey(value))) : null;
}

function points(keys: readonly string[], direction: 1 | -1): Interval[] {
  const directed = direction === 1 ? keys : keys.map(inverted);
  return [...new Set(directed)].sort().map((key) => ({ from: key, to: key + AFTER }));
}

/** The smallest interval that satisfies all conditions, which are of one kind. May be empty (from >= to). */
function range(conditions: readonly Condition[], bracket: string, direction: 1 | -1): Interval {
  const rank = bracket.charCodeAt(0);
  // NaN sorts before all numbers but satisfies no comparison.
  let low = bracket === NAN_KEY[0] ? { key: NAN_KEY, after: true } : { key: bracket, after: false };
  let high = { key: String.fromCharCode(rank + 1), after: false };
  for (const { operator, operand } of conditions) {
    const key = valueKey(operand);
    if (operator.startsWith('$gt')) {
      const edge = { key, after: operator === '$gt' };
      if (edgeKey(edge) > edgeKey(low)) low = edge;
    } else {
      const edge = { key, after: operator === '$lte' };
      if (edgeKey(edge) < edgeKey(high)) high = edge;
    }
  }
  if (direction === 1) return { from: edgeKey(low), to: edgeKey(high) };
  return { from: invertedEdge(high, rank + 1), to: invertedEdge(low, rank) };
}

/** A position between keys: just before the given one, or just after it. */
interface Edge {
  readonly key: string;
  readonly after: boolean;
}

function edgeKey({ key, after }: Edge): string {
  return after ? key + AFTER : key;
}

/** The same position in a descending field, where the order is reversed. */
function invertedEdge({ key, after }: Edge, rank: number): string {
  if (key.length === 1) return String.fromCharCode(256 - rank); // the edge of a whole kind
  return after ? inverted(key) : inverted(key) + AFTER;
}
