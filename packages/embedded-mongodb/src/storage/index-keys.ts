import { fieldsDecoder } from '../bson/decode-fields.ts';
import { fieldsComparer } from '../bson/same-fields.ts';
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

/** What the indexes of a collection make of its documents. */
export interface IndexKeys {
  /** The keys of a document in each index. Refuses two arrays in one compound index (171), as MongoDB does. */
  readonly keysOf: (bytes: Buffer) => DocumentKeys[];
  /** What is indexed of a document, and its `_id`. */
  readonly decode: (bytes: Buffer) => Fields;
  /** True only where two documents have the same keys in every index. */
  readonly sameKeys: (one: Buffer, other: Buffer) => boolean;
}

/** Keys are always made from the bytes by one decoder, so that the keys to remove are the keys once inserted. */
export function indexKeys(definitions: readonly IndexDefinition[]): IndexKeys {
  const names = definitions.flatMap(({ fields, partial }) => [
    ...fields.map(({ path }) => path[0] as string),
    ...(partial ? fieldsOf(partial) : []),
  ]);
  // Only a partial index with $type sees the difference between the types of numbers.
  const exact = definitions.some(({ partial }) => partial !== null);
  const decode = fieldsDecoder(new Set(names), exact);
  return {
    keysOf(bytes) {
      const document = decode(bytes);
      const made: MadeParts = new Map();
      return definitions.map((definition) => documentKeys(definition, document, made));
    },
    decode,
    sameKeys: fieldsComparer(names),
  };
}

/** What a field makes of the keys of one document. */
interface KeyPart {
  readonly keys: readonly string[];
  readonly throughArray: boolean;
  readonly present: boolean;
}

/** By the name of the field, ascending and descending apart: several indexes are by the same ones. */
type MadeParts = Map<string, KeyPart>;

/** Of a document (promoted or exact). */
function documentKeys(definition: IndexDefinition, document: Fields, made: MadeParts): DocumentKeys {
  const { fields, partial, sparse } = definition;
  if (partial && !matches(partial, document)) return NONE;
  let keys: readonly string[] = [''];
  let arrayField: KeyField | undefined;
  let present = false;
  for (const field of fields) {
    const part = keyPart(field, document, made);
    if (part.throughArray && arrayField) throw parallelArrays(field, arrayField);
    if (part.throughArray) arrayField = field;
    present ||= part.present;
    keys = appended(keys, part.keys);
  }
  if (sparse && !present) return NONE;
  return { keys: arrayField ? [...new Set(keys)] : keys, multikey: arrayField !== undefined };
}

function keyPart({ id, path, direction }: KeyField, document: Fields, made: MadeParts): KeyPart {
  const known = made.get(id);
  if (known !== undefined) return known;
  const { values, throughArray } = valuesAt(document, path);
  const keys = values.length === 0 ? [EMPTY_ARRAY_KEY] : values.map(valueKey);
  const part = {
    keys: direction === 1 ? keys : keys.map(inverted),
    throughArray,
    present: values.length === 0 || values.some((value) => value !== undefined),
  };
  made.set(id, part);
  return part;
}

function appended(beginnings: readonly string[], ends: readonly string[]): readonly string[] {
  if (beginnings.length === 1 && beginnings[0] === '') return ends;
  if (beginnings.length === 1 && ends.length === 1) return [`${beginnings[0]}${ends[0]}`];
  return beginnings.flatMap((beginning) => ends.map((end) => beginning + end));
}

function parallelArrays(field: KeyField, other: KeyField): CommandError {
  return new CommandError(
    'CannotIndexParallelArrays',
    `cannot index parallel arrays [${field.name}] [${other.name}]`,
  );
}
