import { type Path, someAt } from '../bson/path.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { comparison, equality, membership } from './comparison.ts';
import { type Filter, matches } from './filter.ts';
import { textMatcher } from './regular-expression.ts';
import { typeTest } from './type-names.ts';
import { moduloTest, sizeTest, truthy } from './value-tests.ts';

type Test = (document: Fields) => boolean;

/** The parts of a condition. They include the parser, because $elemMatch and $not contain conditions. */
export interface ConditionParts {
  readonly path: Path;
  readonly operator: string;
  readonly operand: unknown;
  readonly options: unknown;
  readonly parseFilter: (filter: Fields) => Filter;
  readonly isOperatorDocument: (value: unknown) => value is Fields;
}

const UNSUPPORTED = new Set([
  '$near',
  '$nearSphere',
  '$geoWithin',
  '$geoIntersects',
  '$geoNear',
  '$within',
  '$maxDistance',
  '$minDistance',
  '$bitsAllSet',
  '$bitsAnySet',
  '$bitsAllClear',
  '$bitsAnyClear',
  '$expr',
  '$where',
  '$text',
  '$jsonSchema',
]);

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
  $size: (parts) => at(parts, false, sizeTest(parts.operand)),
  $mod: (parts) => at(parts, true, moduloTest(parts.operand)),
  $all: all,
  $not: negation,
  $elemMatch: (parts) => at(parts, false, elementTest(parts)),
};

export function createTest(parts: ConditionParts): Test {
  if (Object.hasOwn(OPERATORS, parts.operator))
    return (OPERATORS[parts.operator] as (p: ConditionParts) => Test)(parts);
  if (UNSUPPORTED.has(parts.operator)) throw notSupported(`the query operator ${parts.operator}`);
  throw new CommandError('BadValue', `unknown operator: ${parts.operator}`);
}

function at({ path }: ConditionParts, intoLeaf: boolean, visit: (value: unknown) => boolean): Test {
  return (document) => someAt(document, path, intoLeaf, visit);
}

function not(test: Test): Test {
  return (document) => !test(document);
}

function existence(parts: ConditionParts): Test {
  const wanted = truthy(parts.operand);
  const exists = at(parts, false, (value) => value !== undefined);
  return wanted ? exists : not(exists);
}

/** `$all: [a, b]` is a and b; an element may be an $elemMatch. An empty list matches nothing. */
function all(parts: ConditionParts): Test {
  if (!Array.isArray(parts.operand)) throw new CommandError('BadValue', '$all needs an array');
  const tests = parts.operand.map((operand: unknown) => {
    if (isDocument(operand) && '$elemMatch' in operand) {
      return createTest({ ...parts, operator: '$elemMatch', operand: operand.$elemMatch });
    }
    return createTest({ ...parts, operator: typeOf(operand) === 'regex' ? '$regex' : '$eq', operand });
  });
  return (document) => tests.length > 0 && tests.every((test) => test(document));
}

function negation(parts: ConditionParts): Test {
  const { operand } = parts;
  if (typeOf(operand) === 'regex') return not(createTest({ ...parts, operator: '$regex' }));
  if (!isDocument(operand)) throw new CommandError('BadValue', '$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw new CommandError('BadValue', '$not cannot be empty');
  if (!parts.isOperatorDocument(operand))
    throw new CommandError('BadValue', `unknown operator: ${Object.keys(operand)[0]}`);
  const filter = parts.parseFilter({ [parts.path.join('.')]: operand });
  return (document) => !matches(filter, document);
}

/** `$elemMatch` with operators tests the elements themselves, with fields it tests elements that are documents. */
function elementTest({
  operand,
  parseFilter,
  isOperatorDocument,
}: ConditionParts): (value: unknown) => boolean {
  if (!isDocument(operand)) throw new CommandError('BadValue', '$elemMatch needs an Object');
  const first = Object.keys(operand)[0] ?? '';
  const onValues = !['$and', '$or', '$nor'].includes(first) && isOperatorDocument(operand);
  const filter = parseFilter(onValues ? { element: operand } : operand);
  const test = (element: unknown): boolean =>
    onValues
      ? matches(filter, { element })
      : isElementDocument(element) && matches(filter, { ...(element as Fields) }); // an array by its indexes
  return (value) => Array.isArray(value) && value.some(test);
}

function isElementDocument(element: unknown): boolean {
  return isDocument(element) || Array.isArray(element);
}
