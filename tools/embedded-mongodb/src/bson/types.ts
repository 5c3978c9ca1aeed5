import { Double, Int32, Long } from 'bson';
import { notSupported } from '../errors.ts';

/** A decoded BSON document. Values keep their BSON types unless a function says otherwise. */
export type Fields = Record<string, unknown>;

/** The BSON types of values that the embedded store can compare, as `$type` names them. */
export type TypeName =
  | 'missing'
  | 'null'
  | 'double'
  | 'int'
  | 'long'
  | 'string'
  | 'object'
  | 'array'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'regex';

const CLASS_TYPES: Record<string, TypeName> = {
  Double: 'double',
  Int32: 'int',
  Long: 'long',
  ObjectId: 'objectId',
  BSONRegExp: 'regex',
};

/** The BSON type of a decoded value. `undefined` means a missing field. Rejects the types that are not supported. */
export function typeOf(value: unknown): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? 'int' : 'double';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'long';
    case 'undefined':
      return 'missing';
    default:
      return objectType(value);
  }
}

function objectType(value: unknown): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  const name = (value as { _bsontype?: unknown })._bsontype;
  if (typeof name !== 'string') return 'object';
  const type = CLASS_TYPES[name];
  if (type === undefined) throw notSupported(`a value of type ${name}`);
  return type;
}

/** True for an embedded document (no array, no BSON scalar). */
export function isDocument(value: unknown): value is Fields {
  return typeof value === 'object' && objectType(value) === 'object';
}

/** The numeric value, or undefined for another type. A Long beyond 2^53 is a bigint, so that it is not rounded. */
export function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (!(value instanceof Long)) return undefined;
  const rounded = value.toNumber();
  return Number.isSafeInteger(rounded) ? rounded : value.toBigInt();
}

/** A number as a JavaScript number, or undefined for another type. Use it only for counts and limits, which are small. */
export function smallNumberOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return number === undefined ? undefined : Number(number);
}
