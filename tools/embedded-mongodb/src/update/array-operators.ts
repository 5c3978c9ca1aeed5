import { type Fields, isDocument, smallNumberOf, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { matches } from '../query/filter.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { parseSort, sortedBy } from '../query/sort.ts';
import { type Change, KEEP } from './change.ts';

const PUSH_MODIFIERS = new Set(['$each', '$position', '$slice', '$sort']);

interface PushModifiers {
  readonly each: readonly unknown[];
  readonly position: number | undefined;
  readonly slice: number | undefined;
  readonly sort: unknown;
}

/** $push with $each, $position, $sort and $slice, which apply in this order (manual, "$push"). */
export function push(operand: unknown, path: string): Change {
  const { each, position, slice, sort } = pushModifiers(operand);
  return (current) => {
    const array = arrayOrEmpty(current, path).slice();
    array.splice(position ?? array.length, 0, ...each);
    const sorted = sort === undefined ? array : sortElements(array, sort);
    if (slice === undefined) return sorted;
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice);
  };
}

function pushModifiers(operand: unknown): PushModifiers {
  if (!isDocument(operand) || !('$each' in operand))
    return { each: [operand], position: undefined, slice: undefined, sort: undefined };
  const unknown = Object.keys(operand).find((name) => !PUSH_MODIFIERS.has(name));
  if (unknown) throw new CommandError('BadValue', `Unrecognized clause in $push: ${unknown}`);
  return {
    each: eachOf(operand, '$push'),
    position: integer(operand.$position, '$position'),
    slice: integer(operand.$slice, '$slice'),
    sort: operand.$sort,
  };
}

function integer(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  const number = smallNumberOf(value);
  if (number === undefined || !Number.isInteger(number))
    throw new CommandError(
      'BadValue',
      `The value for ${name} must be an integer value but was given type: ${typeOf(value)}`,
    );
  return number;
}

/** `$sort: 1` sorts by the elements, `$sort: { field: 1 }` by a field of the elements. */
function sortElements(array: readonly unknown[], sort: unknown): unknown[] {
  if (isDocument(sort))
    return sortedBy(array, parseSort(sort), (element) => (isDocument(element) ? element : {}));
  return sortedBy(array, parseSort({ element: sort }), (element) => ({
    element: Array.isArray(element) ? [element] : element,
  }));
}

/** $addToSet, also with $each: appends each value that equals no element. */
export function addToSet(operand: unknown, path: string): Change {
  const each = isDocument(operand) && '$each' in operand ? eachOf(operand, '$addToSet') : [operand];
  return (current) => {
    const array = arrayOrEmpty(current, path).slice();
    const present = new Set(array.map(valueKey));
    for (const value of each) {
      const key = valueKey(value);
      if (!present.has(key)) array.push(value);
      present.add(key);
    }
    return current !== undefined && array.length === (current as unknown[]).length ? KEEP : array;
  };
}

function eachOf(operand: Fields, operator: string): unknown[] {
  if (Array.isArray(operand.$each)) return operand.$each;
  throw new CommandError(
    operator === '$push' ? 'BadValue' : 'TypeMismatch',
    `The argument to $each in ${operator} must be an array but it was of type ${typeOf(operand.$each)}`,
  );
}

/** $pull: elements equal to the value, matching the operators, or (documents) matching the filter. */
export function pull(operand: unknown, path: string): Change {
  const matching = elementTest(operand);
  return without(matching, path, '$pull');
}

export function pullAll(operand: unknown, path: string): Change {
  if (!Array.isArray(operand))
    throw new CommandError(
      'BadValue',
      `$pullAll requires an array argument but was given a ${typeOf(operand)}`,
    );
  const keys = new Set(operand.map(valueKey));
  return without((element) => keys.has(valueKey(element)), path, '$pullAll');
}

function elementTest(operand: unknown): (element: unknown) => boolean {
  if (isDocument(operand) && !Object.keys(operand)[0]?.startsWith('$')) {
    const filter = parseFilter(operand);
    return (element) => isDocument(element) && matches(filter, element);
  }
  if (Array.isArray(operand)) {
    const key = valueKey(operand);
    return (element) => valueKey(element) === key;
  }
  const filter = parseFilter({ element: operand });
  return (element) => matches(filter, { element });
}

function without(matching: (element: unknown) => boolean, path: string, operator: string): Change {
  return (current) => {
    if (current === undefined) return KEEP;
    if (!Array.isArray(current))
      throw new CommandError('BadValue', `Cannot apply ${operator} to a non-array value at '${path}'`);
    const kept = current.filter((element) => !matching(element));
    return kept.length === current.length ? KEEP : kept;
  };
}

/** $pop: 1 removes the last element, -1 the first. */
export function pop(operand: unknown, path: string): Change {
  const end = smallNumberOf(operand);
  if (end !== 1 && end !== -1)
    throw new CommandError('FailedToParse', `$pop expects 1 or -1, found: ${String(operand)}`);
  return (current) => {
    if (current === undefined) return KEEP;
    if (!Array.isArray(current))
      throw new CommandError(
        'TypeMismatch',
        `Path '${path}' contains an element of non-array type '${typeOf(current)}'`,
      );
    return end === 1 ? current.slice(0, -1) : current.slice(1);
  };
}

function arrayOrEmpty(current: unknown, path: string): unknown[] {
  if (current === undefined) return [];
  if (Array.isArray(current)) return current;
  throw new CommandError(
    'BadValue',
    `The field '${path}' must be an array but is of type ${typeOf(current)}`,
  );
}
