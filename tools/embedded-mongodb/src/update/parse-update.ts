import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';
import { addToSet, pull, push } from './array-operators.ts';
import { type Change, changeAt, REMOVE } from './change.ts';
import { currentDate, extreme, increment } from './number-operators.ts';
import { checkUpdatePath, refuseConflicts } from './update-paths.ts';

/** A parsed update. */
export type Update =
  | { readonly kind: 'replacement'; readonly document: Fields }
  | { readonly kind: 'operators'; readonly apply: (document: Fields, inserting: boolean) => void };

/** One operator on one path. */
interface Step {
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
  $min: (operand) => extreme('min', operand),
  $max: (operand) => extreme('max', operand),
  $currentDate: (operand, _path, now) => currentDate(operand, now),
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
};

/**
 * Parses an update (manual, "Update Operators"): a document of operators, or a replacement. Rejects pipelines and positional
 * paths by name (238), and unknown operators with 9 FailedToParse. `now` is the value of $currentDate in milliseconds.
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
  const factory = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
  if (!factory) {
    throw new CommandError(
      'FailedToParse',
      `Unknown modifier: ${operator}. The embedded development store has only ${Object.keys(OPERATORS).join(', ')}`,
    );
  }
  if (!isDocument(operands)) {
    throw new CommandError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeOf(operands)} instead. For example: {$mod: {<field>: ...}} not {${operator}: ...}`,
    );
  }
  return Object.entries(operands).map(([name, operand]) => {
    const path = checkUpdatePath(name);
    const change = factory(operand, name, now);
    return {
      name,
      onInsertOnly: operator === '$setOnInsert',
      apply: (document: Fields) => changeAt(document, path, change),
    };
  });
}
