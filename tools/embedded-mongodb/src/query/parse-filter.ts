import { parsePath } from '../bson/path.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { createTest } from './conditions.ts';
import type { Condition, Filter } from './filter.ts';

const JUNCTIONS: Record<string, 'and' | 'or' | 'nor'> = { $and: 'and', $or: 'or', $nor: 'nor' };
const UNSUPPORTED = new Set(['$expr', '$where', '$text', '$jsonSchema']);

/**
 * Parses a query filter (manual, "Query and Projection Operators"). Rejects unknown operators (2 BadValue), and by name
 * those of MongoDB that this server lacks (238).
 */
export function parseFilter(filter: Fields): Filter {
  const clauses = Object.entries(filter).flatMap(([name, value]) => parseClause(name, value));
  return clauses.length === 1 && clauses[0] ? clauses[0] : { kind: 'and', clauses };
}

function parseClause(name: string, value: unknown): Filter[] {
  if (!name.startsWith('$')) return parseField(name, value);
  const kind = JUNCTIONS[name];
  if (kind) return [parseJunction(name, kind, value)];
  if (name === '$comment') return [];
  if (UNSUPPORTED.has(name)) throw notSupported(`the query operator ${name}`);
  throw new CommandError(
    'BadValue',
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
}

function parseJunction(name: string, kind: 'and' | 'or' | 'nor', value: unknown): Filter {
  if (!Array.isArray(value)) throw new CommandError('BadValue', `${name} must be an array`);
  if (value.length === 0) throw new CommandError('BadValue', '$and/$or/$nor must be a nonempty array');
  const clauses = value.map((clause: unknown) => {
    if (!isDocument(clause))
      throw new CommandError('BadValue', '$or/$and/$nor entries need to be full objects');
    return parseFilter(clause);
  });
  return { kind, clauses };
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
  const test = createTest({
    path,
    operator,
    operand,
    options: siblings.$options,
    parseFilter,
    isOperatorDocument,
  });
  return { kind: 'condition', path, operator, operand, test };
}

/** True for `{ $gt: 1 }`: a document whose first field is an operator. Rejects a mixture of operators and fields. */
function isOperatorDocument(value: unknown): value is Fields {
  if (!isDocument(value)) return false;
  const names = Object.keys(value);
  if (!names[0]?.startsWith('$') || isReference(names)) return false;
  const stranger = names.find((name) => !name.startsWith('$'));
  if (stranger !== undefined) throw new CommandError('BadValue', `unknown operator: ${stranger}`);
  return true;
}

function isReference(names: readonly string[]): boolean {
  return names[0] === '$ref' || names[0] === '$id';
}
