import { parsePath } from '../bson/path.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { createTest, unknownOperator } from './conditions.ts';
import type { Condition, Filter } from './filter.ts';

/** Parses a query filter (manual, "Query and Projection Operators"). Rejects unknown operators (2 BadValue). */
export function parseFilter(filter: Fields): Filter {
  const clauses = Object.entries(filter).flatMap(([name, value]) => parseClause(name, value));
  return clauses.length === 1 && clauses[0] ? clauses[0] : { kind: 'and', clauses };
}

function parseClause(name: string, value: unknown): Filter[] {
  if (!name.startsWith('$')) return parseField(name, value);
  if (name !== '$and' && name !== '$or') throw unknownOperator(name);
  if (!Array.isArray(value) || value.length === 0)
    throw new CommandError('BadValue', `${name} must be a nonempty array`);
  const clauses = value.map((clause: unknown) => {
    if (!isDocument(clause)) throw new CommandError('BadValue', `${name} entries need to be full objects`);
    return parseFilter(clause);
  });
  return [{ kind: name === '$and' ? 'and' : 'or', clauses }];
}

/** `{ field: value }` is equality; `{ field: { $operator: operand, ... } }` is all of its operators. */
function parseField(field: string, value: unknown): Condition[] {
  if (!isOperatorDocument(value)) {
    return [condition(field, typeOf(value) === 'regex' ? '$regex' : '$eq', value)];
  }
  const conditions: Condition[] = [];
  for (const [operator, operand] of Object.entries(value)) {
    if (operator === '$options') continue; // belongs to $regex
    conditions.push(condition(field, operator, operand, value));
  }
  if ('$options' in value && !('$regex' in value))
    throw new CommandError('BadValue', '$options needs a $regex');
  return conditions;
}

function condition(field: string, operator: string, operand: unknown, siblings: Fields = {}): Condition {
  const path = parsePath(field);
  const test = createTest({ path, operator, operand, options: siblings.$options });
  return { kind: 'condition', path, operator, operand, test };
}

/** True for `{ $gt: 1 }`: a document whose first field is an operator. Rejects a mixture of operators and fields. */
function isOperatorDocument(value: unknown): value is Fields {
  if (!isDocument(value)) return false;
  const names = Object.keys(value);
  if (!names[0]?.startsWith('$')) return false;
  const stranger = names.find((name) => !name.startsWith('$'));
  if (stranger !== undefined) throw unknownOperator(stranger);
  return true;
}
