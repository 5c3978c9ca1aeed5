import { numberOf, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { bracketKey, NULL_KEY, valueKey } from '../order/value-key.ts';

export type ValueTest = (value: unknown) => boolean;

/** Equality: the same kind and value. Null also matches a missing field. */
export function equality(operand: unknown): ValueTest {
  if (typeof operand === 'string') return (value) => value === operand; // the most common case needs no key
  const key = valueKey(operand);
  return (value) => valueKey(value) === key;
}

/**
 * $gt, $gte, $lt, $lte: only values of the operand's kind are compared (manual, "Comparison/Sort Order",
 * type bracketing).
 */
export function comparison(operator: '$gt' | '$gte' | '$lt' | '$lte', operand: unknown): ValueTest {
  if (typeOf(operand) === 'regex')
    throw new CommandError('BadValue', `Can't have RegEx as arg to predicate over field.`);
  const key = valueKey(operand);
  const bracket = bracketKey(operand);
  const orEqual = operator.endsWith('e');
  const greater = operator.startsWith('$gt');
  if (Number.isNaN(numberOf(operand))) return orEqual ? (value) => valueKey(value) === key : () => false;
  return (value) => {
    if (bracketKey(value) !== bracket) return false;
    const other = valueKey(value);
    if (other === key) return orEqual;
    return (greater ? other > key : other < key) && !Number.isNaN(numberOf(value));
  };
}

/** $in and $nin: equality with any of the values. */
export function membership(operator: string, operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', `${operator} needs an array`);
  if (operand.some((value) => typeOf(value) === 'regex'))
    throw notSupported(`a regular expression in ${operator}`);
  const keys = new Set(operand.map((value: unknown) => (value === undefined ? NULL_KEY : valueKey(value))));
  return (value) => keys.has(valueKey(value));
}
