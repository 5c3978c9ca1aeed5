import { type Fields, isDocument, smallNumberOf, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';
import { matches } from '../query/filter.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { type Change, KEEP } from './change.ts';

/** $push with $each and then $slice (manual, "$push"). */
export function push(operand: unknown, path: string): Change {
  const { $each, $slice, ...others } = isEach(operand) ? operand : { $each: [operand] };
  const [unknown] = Object.keys(others);
  if (unknown) throw new CommandError('BadValue', `Unrecognized clause in $push: ${unknown}`);
  const each = eachOf($each, '$push');
  const slice = smallNumberOf($slice);
  if ($slice !== undefined && !(slice !== undefined && Number.isInteger(slice) && slice < 0))
    throw new CommandError('BadValue', 'The value for $slice must be a negative integer');
  return (current) => [...arrayOrEmpty(current, path), ...each].slice(slice);
}

function isEach(operand: unknown): operand is Fields {
  return isDocument(operand) && '$each' in operand;
}

/** $addToSet, also with $each: appends each value that equals no element. */
export function addToSet(operand: unknown, path: string): Change {
  const each = isEach(operand) ? eachOf(operand.$each, '$addToSet') : [operand];
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

function eachOf(each: unknown, operator: string): unknown[] {
  if (Array.isArray(each)) return each;
  throw new CommandError('BadValue', `The argument to $each in ${operator} must be an array`);
}

/** $pull: elements equal to the value, matching the operators, or (documents) matching the filter. */
export function pull(operand: unknown, path: string): Change {
  const matching = elementTest(operand);
  return (current) => {
    if (current === undefined) return KEEP;
    if (!Array.isArray(current))
      throw new CommandError('BadValue', `Cannot apply $pull to a non-array value at '${path}'`);
    const kept = current.filter((element) => !matching(element));
    return kept.length === current.length ? KEEP : kept;
  };
}

function elementTest(operand: unknown): (element: unknown) => boolean {
  if (isDocument(operand) && !Object.keys(operand)[0]?.startsWith('$')) {
    const filter = parseFilter(operand);
    return (element) => isDocument(element) && matches(filter, element);
  }
  const filter = parseFilter({ element: operand });
  return (element) => matches(filter, { element });
}

function arrayOrEmpty(current: unknown, path: string): unknown[] {
  if (current === undefined) return [];
  if (Array.isArray(current)) return current;
  throw new CommandError(
    'BadValue',
    `The field '${path}' must be an array but is of type ${typeOf(current)}`,
  );
}
