import type { BSONRegExp } from 'bson';
import { typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import type { ValueTest } from './comparison.ts';

/**
 * A test for matching strings. Patterns run in JavaScript's engine, not in PCRE. Options i, m and s work as in MongoDB. It
 * rejects x and patterns that JavaScript cannot parse (51091 in MongoDB, 2 here).
 */
export function textMatcher(pattern: unknown, options: unknown): ValueTest {
  const isText = typeof pattern === 'string';
  if (!isText && typeOf(pattern) !== 'regex') throw new CommandError('BadValue', '$regex has to be a string');
  const given = pattern as BSONRegExp;
  const flags = String(options ?? (isText ? '' : given.options));
  if (!/^[ims]*$/.test(flags)) throw new CommandError('BadValue', `invalid flag in regex options: ${flags}`);
  try {
    const expression = new RegExp(isText ? pattern : given.pattern, flags);
    return (value) => typeof value === 'string' && expression.test(value);
  } catch (error) {
    throw new CommandError('BadValue', `Regular expression is invalid: ${String(error)}`);
  }
}
