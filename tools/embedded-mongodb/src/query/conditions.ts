import type { BSONRegExp } from 'bson';
import { type Path, someAt } from '../bson/path.ts';
import { type Fields, numberOf, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { comparison, equality, membership, type ValueTest } from './comparison.ts';

type Test = (document: Fields) => boolean;

/** The parts of a condition. `options` belongs to $regex. */
export interface ConditionParts {
  readonly path: Path;
  readonly operator: string;
  readonly operand: unknown;
  readonly options: unknown;
}

/** Each query operator as a function from its parts to a test. */
const OPERATORS: Record<string, (parts: ConditionParts) => Test> = {
  $eq: (parts) => at(parts, true, equality(parts.operand)),
  $ne: (parts) => not(at(parts, true, equality(parts.operand))),
  $gt: (parts) => at(parts, true, comparison('$gt', parts.operand)),
  $gte: (parts) => at(parts, true, comparison('$gte', parts.operand)),
  $lt: (parts) => at(parts, true, comparison('$lt', parts.operand)),
  $lte: (parts) => at(parts, true, comparison('$lte', parts.operand)),
  $in: (parts) => at(parts, true, membership('$in', parts.operand)),
  $nin: (parts) => not(at(parts, true, membership('$nin', parts.operand))),
  $exists: existence,
  $type: (parts) => at(parts, true, typeTest(parts.operand)),
  $regex: (parts) => at(parts, true, textMatcher(parts.operand, parts.options)),
};

export function createTest(parts: ConditionParts): Test {
  const operator = Object.hasOwn(OPERATORS, parts.operator) ? OPERATORS[parts.operator] : undefined;
  if (operator === undefined) throw unknownOperator(parts.operator);
  return operator(parts);
}

/** 2, in MongoDB's words and with those that the embedded store has. */
export function unknownOperator(name: string): CommandError {
  const known = `$and, $or, ${Object.keys(OPERATORS).join(', ')}`;
  return new CommandError(
    'BadValue',
    `unknown operator: ${name}. The embedded development store has only ${known}`,
  );
}

function at({ path }: ConditionParts, intoLeaf: boolean, visit: ValueTest): Test {
  return (document) => someAt(document, path, intoLeaf, visit);
}

function not(test: Test): Test {
  return (document) => !test(document);
}

function existence(parts: ConditionParts): Test {
  const exists = at(parts, false, (value) => value !== undefined);
  return isTrue(parts.operand) ? exists : not(exists);
}

/** MongoDB's idea of true: everything but false, null, undefined and zero. */
function isTrue(value: unknown): boolean {
  const number = numberOf(value);
  return number === undefined ? value !== false && value != null : Number(number) !== 0;
}

/** The types of $type. Numbers are decoded as JavaScript numbers, which have lost their type. */
const TYPES: readonly unknown[] = ['string', 'object', 'array', 'objectId', 'bool', 'date', 'null'];

export function typeTest(operand: unknown): ValueTest {
  if (!TYPES.includes(operand)) throw notSupported(`$type: ${JSON.stringify(operand)}`);
  return (value) => typeOf(value) === operand;
}

/**
 * A test for matching strings. Patterns run in JavaScript's engine, not in PCRE. Options i, m and s work as in MongoDB. It
 * rejects x and patterns that JavaScript cannot parse (51091 in MongoDB, 2 here).
 */
function textMatcher(pattern: unknown, options: unknown): ValueTest {
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
