import { fieldsDecoder } from '../bson/decode-fields.ts';
import { elementEnd, FIRST_ELEMENT, valueStart, whichName } from '../bson/elements.ts';
import { valuesAt } from '../bson/path.ts';
import type { Fields } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import type { KeyField } from '../order/key-fields.ts';
import { EMPTY_ARRAY_KEY, inverted, valueKey } from '../order/value-key.ts';
import { fieldsOf, matches } from '../query/filter.ts';
import type { IndexDefinition } from './index-definition.ts';

/** The keys of one document in an index. */
export interface DocumentKeys {
  /** Keys without the suffix of the record. Empty if the index omits the document. */
  readonly keys: readonly string[];
  /** The indexed field that has an array; undefined if none has. */
  readonly arrayField: string | undefined;
}

const NONE: DocumentKeys = { keys: [], arrayField: undefined };

/** The keys of documents in the indexes of a collection. */
export interface IndexKeys {
  /** The keys of a document in each index. Rejects two arrays in one compound index (171), like MongoDB. */
  readonly keysOf: (bytes: Buffer) => DocumentKeys[];
  /** The indexed fields of a document, and its `_id`. */
  readonly decode: (bytes: Buffer) => Fields;
  /** True only if two documents have the same keys in every index. */
  readonly sameKeys: (one: Buffer, other: Buffer) => boolean;
}

/** One decoder creates all keys from the bytes, so that the keys to remove equal the inserted ones. */
export function indexKeys(definitions: readonly IndexDefinition[]): IndexKeys {
  const names = definitions.flatMap(({ fields, partial }) => [
    ...fields.map(({ path }) => path[0] as string),
    ...(partial ? fieldsOf(partial) : []),
  ]);
  const decode = fieldsDecoder(new Set(names));
  const fields = distinct(definitions.flatMap((definition) => definition.fields));
  const planned = definitions.map((definition) => ({
    definition,
    places: definition.fields.map(({ id }) => fields.findIndex((field) => field.id === id)),
  }));
  return {
    keysOf(bytes) {
      const parts = createParts(fields, decode(bytes));
      return planned.map(({ definition, places }) => documentKeys(definition, places, parts));
    },
    decode,
    sameKeys: fieldsComparer(names),
  };
}

function distinct(fields: readonly KeyField[]): KeyField[] {
  return [...new Map(fields.map((field) => [field.id, field])).values()];
}

/** The keys of one document in one field. */
interface KeyPart {
  readonly keys: readonly string[];
  readonly throughArray: boolean;
}

/** Values of one document, by the position of the field, because several indexes share fields. */
interface Parts {
  readonly document: Fields;
  readonly at: (place: number) => KeyPart;
}

function createParts(fields: readonly KeyField[], document: Fields): Parts {
  const made: KeyPart[] = [];
  return {
    document,
    at: (place) => {
      made[place] ??= keyPart(fields[place] as KeyField, document);
      return made[place];
    },
  };
}

function documentKeys(definition: IndexDefinition, places: readonly number[], parts: Parts): DocumentKeys {
  const { fields, partial } = definition;
  if (partial && !matches(partial, parts.document)) return NONE;
  let key = '';
  let several: readonly string[] | null = null; // set once a field has several values
  let arrayField: KeyField | undefined;
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] as KeyField;
    const part = parts.at(places[i] as number);
    if (part.throughArray && arrayField) throw parallelArrays(field, arrayField);
    if (part.throughArray) arrayField = field;
    if (several === null && part.keys.length === 1) key += part.keys[0];
    else several = appended(several ?? [key], part.keys);
  }
  const keys = several === null ? [key] : [...new Set(several)];
  return { keys, arrayField: arrayField?.name };
}

function keyPart({ path, direction }: KeyField, document: Fields): KeyPart {
  const { values, throughArray } = valuesAt(document, path);
  const keys = values.length === 0 ? [EMPTY_ARRAY_KEY] : values.map(valueKey);
  return { keys: direction === 1 ? keys : keys.map(inverted), throughArray };
}

function appended(beginnings: readonly string[], ends: readonly string[]): readonly string[] {
  return beginnings.flatMap((beginning) => ends.map((end) => beginning + end));
}

function parallelArrays(field: KeyField, other: KeyField): CommandError {
  return new CommandError(
    'CannotIndexParallelArrays',
    `cannot index parallel arrays [${field.name}] [${other.name}]`,
  );
}

/**
 * Compares some top-level fields of two documents by their bytes. True only if each field is the same in both, or missing
 * in both. It decodes nothing, and returns false if the bytes cannot tell.
 */
function fieldsComparer(names: readonly string[]): (one: Buffer, other: Buffer) => boolean {
  const wanted = [...new Set(names)].map((name) => Buffer.from(`${name}\0`));
  // Each comparison overwrites these.
  const ofOne = new Uint32Array(wanted.length * 2);
  const ofOther = new Uint32Array(wanted.length * 2);
  return (one, other) =>
    findFields(one, wanted, ofOne) &&
    findFields(other, wanted, ofOther) &&
    sameParts(one, ofOne, other, ofOther);
}

/** Records start and end of each wanted field, 0 and 0 for a missing one. False if the bytes cannot tell. */
function findFields(bytes: Buffer, wanted: readonly Buffer[], places: Uint32Array): boolean {
  places.fill(0);
  let missing = wanted.length;
  for (let at = FIRST_ELEMENT; at < bytes.length - 1 && missing > 0; ) {
    const value = valueStart(bytes, at);
    const end = elementEnd(bytes, at, value);
    if (end < 0) return false;
    const field = whichName(bytes, at, value, wanted);
    if (field >= 0) {
      if (places[2 * field] !== 0) return false; // twice in one document
      places[2 * field] = at;
      places[2 * field + 1] = end;
      missing -= 1;
    }
    at = end;
  }
  return true;
}

function sameParts(one: Buffer, ofOne: Uint32Array, other: Buffer, ofOther: Uint32Array): boolean {
  for (let i = 0; i < ofOne.length; i += 2) {
    const [from, to] = [ofOne[i] as number, ofOne[i + 1] as number];
    const otherFrom = ofOther[i] as number;
    if ((ofOther[i + 1] as number) - otherFrom !== to - from) return false;
    for (let k = 0; k < to - from; k++) if (one[from + k] !== other[otherFrom + k]) return false;
  }
  return true;
}
