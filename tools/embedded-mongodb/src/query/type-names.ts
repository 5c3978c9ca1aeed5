import { smallNumberOf, type TypeName, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';

/** The numbers and aliases of $type (manual, "$type"). */
const TYPE_NUMBERS: Record<number, TypeName> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  6: 'undefined',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  12: 'dbPointer',
  13: 'javascript',
  14: 'symbol',
  15: 'javascriptWithScope',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  [-1]: 'minKey',
  127: 'maxKey',
};
const NAMES = new Set<string>(Object.values(TYPE_NUMBERS));
const NUMBERS: readonly string[] = ['double', 'int', 'long', 'decimal'];

/** The test of `$type`: one type or a list of them. */
export function typeTest(operand: unknown): (value: unknown) => boolean {
  const list: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (list.length === 0) throw new CommandError('FailedToParse', '$type must match at least one type');
  const wanted = new Set(list.flatMap(namesOf));
  return (value) => wanted.has(typeOf(value));
}

function namesOf(type: unknown): readonly string[] {
  if (type === 'number') return NUMBERS;
  if (typeof type === 'string' && NAMES.has(type)) return [type];
  const number = smallNumberOf(type);
  const name = number === undefined ? undefined : TYPE_NUMBERS[number];
  if (name) return [name];
  throw new CommandError('BadValue', `Unknown type name alias: ${String(type)}`);
}
