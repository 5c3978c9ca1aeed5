import type { BSONRegExp } from 'bson';
import { typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { valueKey } from '../order/value-key.ts';

/**
 * A test for matching strings. Patterns run in JavaScript's engine, not in PCRE. Options i, m and s work as in MongoDB. It
 * rejects x and patterns that JavaScript cannot parse (51091 in MongoDB, 2 here).
 */
export function textMatcher(pattern: unknown, options: unknown): (value: unknown) => boolean {
  const expression = compile(pattern, options);
  const ownKey = typeOf(pattern) === 'regex' ? valueKey(pattern) : undefined;
  return (value) => {
    if (typeof value === 'string') return expression.test(value);
    return ownKey !== undefined && typeOf(value) === 'regex' && valueKey(value) === ownKey;
  };
}

function compile(pattern: unknown, options: unknown): RegExp {
  if (options !== undefined && typeof options !== 'string')
    throw new CommandError('BadValue', '$options has to be a string');
  const [source, ownFlags] = sourceOf(pattern);
  const flags = options ?? ownFlags;
  if (!/^[imsu]*$/.test(flags)) throw new CommandError('BadValue', `invalid flag in regex options: ${flags}`);
  try {
    return new RegExp(source, [...new Set(flags.replaceAll('u', ''))].join(''));
  } catch (error) {
    throw new CommandError(
      'BadValue',
      `Regular expression is invalid: ${error instanceof Error ? error.message : source}`,
    );
  }
}

function sourceOf(pattern: unknown): [source: string, flags: string] {
  if (typeof pattern === 'string') return [pattern, ''];
  if (pattern instanceof RegExp) return [pattern.source, pattern.flags.replace(/[gyd]/g, '')];
  if (typeOf(pattern) !== 'regex') throw new CommandError('BadValue', '$regex has to be a string');
  const { pattern: source, options } = pattern as BSONRegExp;
  return [source, options];
}
