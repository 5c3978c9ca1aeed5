import type { ObjectId } from 'bson';
import { type Fields, numberOf, type TypeName, typeOf } from '../bson/types.ts';
import { notSupported } from '../errors.ts';
import { doubleKey, numberKey } from './number-key.ts';

/**
 * The order of the types (MongoDB manual, "Comparison/Sort Order"). Numbers are one type. A missing field sorts as null.
 */
const RANKS: Record<TypeName, number> = {
  missing: 5,
  null: 5,
  double: 10,
  int: 10,
  long: 10,
  string: 15,
  object: 20,
  array: 25,
  objectId: 35,
  bool: 40,
  date: 45,
  regex: 50,
};

/** The key of an empty array, which sorts before null. */
export const EMPTY_ARRAY_KEY = '\x03';
/** The key of null and of a missing field. */
export const NULL_KEY = String.fromCharCode(RANKS.null);

/**
 * A value as a string of bytes (latin-1). String comparison gives MongoDB's order of values, and equal strings are equal
 * values: Int32 1, Double 1 and Long 1 have one key. Only this function defines the order: queries, sorts, indexes, $min,
 * $max and distinct all compare these keys. No key is a prefix of another.
 */
export function valueKey(value: unknown): string {
  const type = typeOf(value);
  return String.fromCharCode(RANKS[type]) + body(value, type);
}

/** First byte of the keys of all values that compare with this one (a number with numbers, a date with dates). */
export function bracketKey(value: unknown): string {
  return String.fromCharCode(RANKS[typeOf(value)]);
}

/** The key for a descending field: every byte is inverted, which reverses the order. */
export function inverted(key: string): string {
  const bytes = key.length <= scratch.length ? scratch : Buffer.allocUnsafe(key.length);
  bytes.write(key, 'latin1');
  for (let i = 0; i < key.length; i++) bytes[i] = 255 - (bytes[i] as number);
  return bytes.toString('latin1', 0, key.length);
}

const scratch = Buffer.alloc(64);

function body(value: unknown, type: TypeName): string {
  switch (type) {
    case 'int':
    case 'double':
    case 'long':
      return numberKey(numberOf(value) ?? 0);
    case 'string':
      return textKey(String(value));
    case 'date':
      return doubleKey((value as Date).getTime());
    case 'objectId':
      return Buffer.from((value as ObjectId).id).toString('latin1');
    case 'bool':
      return value ? '\x02' : '\x01';
    case 'object':
      return documentKey(value as Fields);
    case 'array':
      return arrayKey(value as unknown[]);
    case 'missing':
    case 'null':
      return '';
    case 'regex':
      throw notSupported('comparing regular expressions');
  }
}

/** UTF-8 bytes with 00 at the end; 00 and 01 inside are written 01 01 and 01 02, so that no text's key begins another's. */
function textKey(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII without 00 and 01 is its own encoding
  if (/^[\x02-\x7f]*$/.test(text)) return `${text}\0`;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return `${bytes.replaceAll('\x01', '\x01\x02').replaceAll('\0', '\x01\x01')}\0`;
}

/** Field by field: type, then name, then value; the shorter of two equal beginnings comes first. */
function documentKey(document: Fields): string {
  let key = '';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    const type = typeOf(value);
    key += String.fromCharCode(RANKS[type]) + textKey(name) + body(value, type);
  }
  return `${key}\0`;
}

function arrayKey(array: readonly unknown[]): string {
  let key = '';
  for (const value of array) key += valueKey(value ?? null);
  return `${key}\0`;
}
