import { valuesAt } from '../bson/path.ts';
import type { RawFields } from '../bson/raw-document.ts';
import { type Fields, typeOf } from '../bson/types.ts';
import { asCommandError, CommandError } from '../errors.ts';
import type { Duplicate } from '../storage/collection.ts';

/** Runs the statements of a write command. `ordered` stops at the first rejected one. Returns the rejections by index. */
export function runStatements(count: number, ordered: boolean, run: (index: number) => void): Fields[] {
  const errors: Fields[] = [];
  for (let index = 0; index < count; index++) {
    try {
      run(index);
    } catch (thrown) {
      const { code, message, details } = asCommandError(thrown);
      errors.push({ index, code, errmsg: message, ...details });
      if (ordered) break;
    }
  }
  return errors;
}

/** `writeErrors` is present only if there are any, like in MongoDB. */
export function writeErrorsField(errors: readonly Fields[]): RawFields {
  return errors.length > 0 ? [['writeErrors', errors]] : [];
}

/** 11000 in MongoDB's words. */
export function duplicateError(namespace: string, { index, document }: Duplicate): CommandError {
  const keyValue = Object.fromEntries(
    index.fields.map(({ name, path }) => [name, valuesAt(document, path).values[0] ?? null]),
  );
  const shown = Object.entries(keyValue)
    .map(([name, value]) => `${name}: ${show(value)}`)
    .join(', ');
  return new CommandError(
    'DuplicateKey',
    `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: { ${shown} }`,
    { keyPattern: index.specification.key, keyValue },
  );
}

function show(value: unknown): string {
  switch (typeOf(value)) {
    case 'string':
      return JSON.stringify(value);
    case 'objectId':
      return `ObjectId('${String(value)}')`;
    case 'date':
      return `new Date(${(value as Date).getTime()})`;
    case 'object':
    case 'array':
      return JSON.stringify(value);
    default:
      return String(value);
  }
}
