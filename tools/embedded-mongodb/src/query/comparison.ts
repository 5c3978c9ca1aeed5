import { numberOf, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { bracketKey, NULL_KEY, valueKey } from '../order/value-key.ts';
import { textMatcher } from './regular-expression.ts';

type ValueTest = (value: unknown) => boolean;

/** Equality: the same kind and value. Null also matches a missing field. */
export function equality(operand: unknown): ValueTest {
  if (typeof operand === 'string') return (value) => value === operand; // the most common case needs no key
  const key = valueKey(operand);
  return (value) => valueKey(value) === key;
}

/**
 * $gt, $gte, $lt, $lte: only values of the operand's kind are compared (manual, "Comparison/Sort Order",
 * type bracketing), except with MinKey and MaxKey, which are compared with everything.
 */
export function comparison(operator: '$gt' | '$gte' | '$lt' | '$lte', operand: unknown): ValueTest {
  if (typeOf(operand) === 'regex')
    throw new CommandError('BadValue', `Can't have RegEx as arg to predicate over field.`);
  const key = valueKey(operand);
  const bracket = bracketKey(operand);
  const orEqual = operator.endsWith('e');
  const greater = operator.startsWith('$gt');
  const anyKind = ['minKey', 'maxKey'].includes(typeOf(operand));
  if (Number.isNaN(numberOf(operand))) return orEqual ? (value) => valueKey(value) === key : () => false;
  return (value) => {
    if (!anyKind && bracketKey(value) !== bracket) return false;
    const other = valueKey(value);
    if (other === key) return orEqual;
    return (greater ? other > key : other < key) && !Number.isNaN(numberOf(value));
  };
}

/** $in and $nin: equality with any of the values, or a match with any of the regular expressions. */
export function membership(operator: string, operand: unknown): ValueTest {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', `${operator} needs an array`);
  const expressions = operand.filter((value) => typeOf(value) === 'regex');
  const keys = new Set(operand.map((value: unknown) => (value === undefined ? NULL_KEY : valueKey(value))));
  const patterns = expressions.map((expression) => textMatcher(expression, undefined));
  return (value) => keys.has(valueKey(value)) || patterns.some((matchesPattern) => matchesPattern(value));
}
