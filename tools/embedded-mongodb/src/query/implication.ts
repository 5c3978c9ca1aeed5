import { typeOf } from '../bson/types.ts';
import { valueKey } from '../order/value-key.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';
import { type Condition, type Filter, requiredConditions } from './filter.ts';
import { typeTest } from './type-names.ts';

/** Satisfied by an array as soon as one element satisfies them, so that an equality with that element implies them. */
const POSITIVE_OPERATORS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$regex']);
const VALUE_OPERATORS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte']);

/**
 * True when every document that satisfies the conditions is sure to be in the index. Always so for a plain index; a
 * partial one must have its whole expression implied, a sparse one needs its first field to be there.
 */
export function implies(conditions: readonly Condition[], definition: IndexDefinition): boolean {
  const { partial, sparse, fields } = definition;
  if (sparse && !conditions.some((c) => c.path.join('.') === fields[0]?.name && impliesPresence(c)))
    return false;
  if (!partial) return true;
  if (!isConjunction(partial)) return false;
  return requiredConditions(partial).every((required) =>
    conditions.some((given) => impliesCondition(given, required)),
  );
}

function impliesCondition(given: Condition, required: Condition): boolean {
  if (given.path.join('.') !== required.path.join('.')) return false;
  if (given.operator === required.operator && valueKey(given.operand) === valueKey(required.operand))
    return true;
  if (required.operator === '$exists') return isTrue(required.operand) && impliesPresence(given);
  if (required.operator === '$type')
    return (
      VALUE_OPERATORS.has(given.operator) &&
      impliesPresence(given) &&
      sameBracket(required.operand, given.operand)
    );
  return (
    given.operator === '$eq' &&
    isPresent(given.operand) &&
    POSITIVE_OPERATORS.has(required.operator) &&
    required.test(nested(given))
  );
}

/** A document with nothing but the given equality. */
function nested({ path, operand }: Condition): Record<string, unknown> {
  return path.reduceRight<unknown>((value, part) => ({ [part]: value }), operand) as Record<string, unknown>;
}

/** A comparison with a value other than null can only be satisfied by a field that is there. */
function impliesPresence({ operator, operand }: Condition): boolean {
  if (operator === '$exists') return isTrue(operand);
  if (operator === '$in') return Array.isArray(operand) && operand.every(isPresent);
  return VALUE_OPERATORS.has(operator) && isPresent(operand);
}

function isPresent(value: unknown): boolean {
  return !['null', 'missing', 'minKey', 'maxKey', 'array'].includes(typeOf(value));
}

function isTrue(value: unknown): boolean {
  return value === true || Number(value) === 1;
}

/** A comparison is only with values of its own kind; numbers are of one kind but four types, so `$type: 'int'` is not implied. */
function sameBracket(type: unknown, operand: unknown): boolean {
  return typeof operand === 'number' ? type === 'number' : typeTest(type)(operand);
}

function isConjunction(filter: Filter): boolean {
  return filter.kind === 'condition' || (filter.kind === 'and' && filter.clauses.every(isConjunction));
}
