import { fieldsDecoder } from '../bson/decode-fields.ts';
import type { Fields } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import type { KeyField } from '../order/key-fields.ts';
import { EMPTY_ARRAY_KEY, inverted, valueKey } from '../order/value-key.ts';
import { fieldsOf, matches } from '../query/filter.ts';
import { valuesAt } from '../query/path.ts';
import type { IndexDefinition } from './index-definition.ts';

/** The keys under which one document stands in an index. */
export interface DocumentKeys {
  /** Without the record's own suffix; none when the index leaves the document out. */
  readonly keys: readonly string[];
  /** An array was involved. */
  readonly multikey: boolean;
}

const NONE: DocumentKeys = { keys: [], multikey: false };

/** The keys of a document (promoted or exact). Refuses two arrays in one compound index (171), as MongoDB does. */
export function documentKeys(definition: IndexDefinition, document: Fields): DocumentKeys {
  const { fields, partial, sparse } = definition;
  if (partial && !matches(partial, document)) return NONE;
  let keys = [''];
  let arrayField: KeyField | undefined;
  let present = false;
  for (const field of fields) {
    const { values, throughArray } = valuesAt(document, field.path);
    if (throughArray && arrayField) throw parallelArrays(field, arrayField);
    if (throughArray) arrayField = field;
    if (!present) present = values.length === 0 || values.some((value) => value !== undefined);
    keys = appended(keys, fieldKeys(values, field.direction));
  }
  if (sparse && !present) return NONE;
  return { keys: arrayField ? [...new Set(keys)] : keys, multikey: arrayField !== undefined };
}

function fieldKeys(values: readonly unknown[], direction: 1 | -1): string[] {
  const keys = values.length === 0 ? [EMPTY_ARRAY_KEY] : values.map(valueKey);
  return direction === 1 ? keys : keys.map(inverted);
}

function appended(beginnings: readonly string[], ends: readonly string[]): string[] {
  if (beginnings.length === 1 && ends.length === 1) return [`${beginnings[0]}${ends[0]}`];
  return beginnings.flatMap((beginning) => ends.map((end) => beginning + end));
}

function parallelArrays(field: KeyField, other: KeyField): CommandError {
  return new CommandError(
    'CannotIndexParallelArrays',
    `cannot index parallel arrays [${field.name}] [${other.name}]`,
  );
}

/** Decodes what the indexes look at. Only a partial index with $type sees the difference between the types of numbers. */
export function indexDecoder(definitions: readonly IndexDefinition[]): (bytes: Buffer) => Fields {
  const names = definitions.flatMap(({ fields, partial }) => [
    ...fields.map(({ path }) => path[0] as string),
    ...(partial ? fieldsOf(partial) : []),
  ]);
  return fieldsDecoder(
    new Set(names),
    definitions.some(({ partial }) => partial !== null),
  );
}
