import { typeOf } from '../bson/types.ts';
import { valueKey } from '../order/value-key.ts';
import { typeTest } from '../query/conditions.ts';
import { type Condition, isConjunction, requiredConditions } from '../query/filter.ts';
import type { IndexDefinition } from '../storage/index-definition.ts';

/** An array satisfies these once one element does, so an equality with that element implies them. */
const POSITIVE_OPERATORS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte', '$in', '$regex']);
const VALUE_OPERATORS = new Set(['$eq', '$gt', '$gte', '$lt', '$lte']);

/**
 * True if the index contains every document that satisfies the conditions. That is always so for a plain index. The
 * conditions must imply the whole expression of a partial index.
 */
export function implies(conditions: readonly Condition[], { partial }: IndexDefinition): boolean {
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
      typeTest(required.operand)(given.operand)
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

/** Only an existing field can satisfy a comparison with a value other than null. */
function impliesPresence({ operator, operand }: Condition): boolean {
  if (operator === '$exists') return isTrue(operand);
  if (operator === '$in') return Array.isArray(operand) && operand.every(isPresent);
  return VALUE_OPERATORS.has(operator) && isPresent(operand);
}

function isPresent(value: unknown): boolean {
  return !['null', 'missing', 'array'].includes(typeOf(value));
}

function isTrue(value: unknown): boolean {
  return value === true || Number(value) === 1;
}
