import { ownValue, type Path, parsePath } from '../bson/path.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { addToSet, pop, pull, pullAll, push } from './array-operators.ts';
import { type Change, changeAt, REMOVE } from './change.ts';
import { currentDate, extreme, increment, multiply } from './number-operators.ts';
import { checkUpdatePath, refuseConflicts } from './update-paths.ts';

/** A parsed update. */
export type Update =
  | { readonly kind: 'replacement'; readonly document: Fields }
  | { readonly kind: 'operators'; readonly apply: (document: Fields, inserting: boolean) => void };

/** One operator on one path. */
interface Step {
  readonly path: Path;
  readonly name: string;
  readonly onInsertOnly: boolean;
  readonly apply: (document: Fields) => void;
}

type ChangeFactory = (operand: unknown, path: string, now: number) => Change;

const OPERATORS: Record<string, ChangeFactory> = {
  $set: (operand) => () => operand,
  $setOnInsert: (operand) => () => operand,
  $unset: () => () => REMOVE,
  $inc: increment,
  $mul: multiply,
  $min: (operand) => extreme('min', operand),
  $max: (operand) => extreme('max', operand),
  $currentDate: (operand, _path, now) => currentDate(operand, now),
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};

/**
 * Parses an update (manual, "Update Operators"): a document of operators, or a replacement. Rejects pipelines, $bit, array
 * filters and positional paths by name (238), and unknown operators with 9 FailedToParse. `now` is the value of
 * $currentDate in milliseconds.
 */
export function parseUpdate(update: unknown, now: number): Update {
  if (Array.isArray(update)) throw notSupported('an update with an aggregation pipeline');
  if (!isDocument(update))
    throw new CommandError('FailedToParse', 'Update argument must be either an object or an array');
  const names = Object.keys(update);
  if (!names[0]?.startsWith('$')) {
    const operator = names.find((name) => name.startsWith('$'));
    if (operator)
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${operator}' in '${operator}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    return { kind: 'replacement', document: update };
  }
  const steps = Object.entries(update).flatMap(([operator, operands]) =>
    parseOperator(operator, operands, now),
  );
  refuseConflicts(steps.map(({ name }) => name));
  // MongoDB applies the paths in lexicographic order, which determines the order of new fields.
  steps.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0));
  return {
    kind: 'operators',
    apply: (document, inserting) => {
      for (const step of steps) if (inserting || !step.onInsertOnly) step.apply(document);
    },
  };
}

function parseOperator(operator: string, operands: unknown, now: number): Step[] {
  if (operator === '$bit') throw notSupported('the update operator $bit');
  const factory = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!factory && operator !== '$rename') {
    throw new CommandError(
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDocument(operands)) {
    throw new CommandError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeOf(operands)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ...}`,
    );
  }
  return Object.entries(operands).flatMap(([name, operand]) => {
    const path = checkUpdatePath(name);
    if (!factory) return renameSteps(name, operand);
    const change = factory(operand, name, now);
    return [
      {
        path,
        name,
        onInsertOnly: operator === '$setOnInsert',
        apply: (document: Fields) => changeAt(document, path, change),
      },
    ];
  });
}

/** $rename is two steps: the first moves the value, the second only reserves the target's path. */
function renameSteps(from: string, to: unknown): Step[] {
  if (typeof to !== 'string')
    throw new CommandError('BadValue', `The 'to' field for $rename must be a string: ${from}: ${String(to)}`);
  if (from === to)
    throw new CommandError(
      'BadValue',
      `The source and target field for $rename must differ: ${from}: "${to}"`,
    );
  const source = parsePath(from);
  const target = checkUpdatePath(to);
  const move = (document: Fields): void => {
    const value = plainValueAt(document, source);
    if (value === undefined) return;
    changeAt(document, source, () => REMOVE);
    changeAt(document, target, () => value);
  };
  return [
    { path: source, name: from, onInsertOnly: false, apply: move },
    { path: target, name: to, onInsertOnly: false, apply: () => {} },
  ];
}

function plainValueAt(document: Fields, path: Path): unknown {
  let value: unknown = document;
  for (const part of path) {
    if (Array.isArray(value))
      throw new CommandError(
        'BadValue',
        `The source field of $rename cannot be an array element, '${path.join('.')}'`,
      );
    value = isDocument(value) ? ownValue(value, part) : undefined;
  }
  return value;
}
