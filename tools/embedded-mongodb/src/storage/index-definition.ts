import { type Fields, isDocument, smallNumberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import { type KeyField, keyFields } from '../order/key-fields.ts';
import { valueKey } from '../order/value-key.ts';
import type { Filter } from '../query/filter.ts';
import { parseFilter } from '../query/parse-filter.ts';

/** The definition of an index by createIndexes. */
export interface IndexDefinition {
  readonly name: string;
  readonly fields: readonly KeyField[];
  readonly unique: boolean;
  /** The index contains only documents that match this filter. */
  readonly partial: Filter | null;
  /** Documents expire this many seconds after the date in the (only) field. Null: never. */
  readonly expireAfterSeconds: number | null;
  /** The form that listIndexes shows. */
  readonly specification: Fields;
}

const OPTIONS = ['v', 'key', 'name', 'unique', 'background', 'partialFilterExpression', 'expireAfterSeconds'];
/** A TTL may not exceed this (manual, "TTL Indexes"). */
const MAX_EXPIRE_AFTER_SECONDS = 2147483647;

export const ID_INDEX: IndexDefinition = parseIndexDefinition({ v: 2, key: { _id: 1 }, name: '_id_' });

/** Parses one entry of createIndexes (manual, "createIndexes"). Rejects unknown options (72). */
export function parseIndexDefinition(specification: Fields): IndexDefinition {
  const stranger = Object.keys(specification).find((name) => !OPTIONS.includes(name));
  if (stranger !== undefined)
    throw new CommandError(
      'InvalidOptions',
      `The field '${stranger}' is not valid for an index specification of the embedded development store`,
    );
  if (!isDocument(specification.key))
    throw new CommandError('FailedToParse', `Index spec is missing the 'key' document`);
  if (typeof specification.name !== 'string' || specification.name === '') {
    throw new CommandError(
      'FailedToParse',
      `The 'name' field is a required property of an index specification`,
    );
  }
  const fields = keyFields(specification.key);
  const { unique, partialFilterExpression: partial } = specification;
  if (partial !== undefined && !isDocument(partial))
    throw new CommandError('TypeMismatch', 'partialFilterExpression must be an object');
  return {
    name: specification.name,
    fields,
    unique: unique === true || fields.map((field) => field.name).join() === '_id',
    partial: partial === undefined ? null : parseFilter(partial),
    expireAfterSeconds: parseExpiry(specification, fields),
    specification: storedSpecification(specification),
  };
}

function parseExpiry({ expireAfterSeconds: value, key }: Fields, fields: readonly KeyField[]): number | null {
  if (value === undefined) return null;
  const seconds = checkedExpiry(value);
  if (fields.length > 1 || fields[0]?.name === '_id') {
    throw new CommandError(
      'CannotCreateIndex',
      `TTL indexes are single-field indexes on a field other than _id; found key: ${JSON.stringify(key)}`,
    );
  }
  return seconds;
}

/** Checks the seconds until expiry: a number from 0 to 2^31 - 1. Throws 14 TypeMismatch, 72 InvalidOptions or 67. */
export function checkedExpiry(value: unknown): number {
  const seconds = smallNumberOf(value);
  if (seconds === undefined)
    throw new CommandError('TypeMismatch', 'TTL index option expireAfterSeconds must be numeric');
  if (!(seconds >= 0 && seconds <= MAX_EXPIRE_AFTER_SECONDS)) {
    throw new CommandError(
      'CannotCreateIndex',
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, was ${seconds}`,
    );
  }
  return seconds;
}

function storedSpecification({ key, name, ...options }: Fields): Fields {
  const { v: _version, background: _background, ...kept } = options;
  return { v: 2, key, name, ...kept };
}

/** True if two definitions have the same entries and the same rules, even under different names. */
export function sameOptions(left: IndexDefinition, right: IndexDefinition): boolean {
  return optionsKey(left) === optionsKey(right);
}

function optionsKey({ unique, expireAfterSeconds, specification }: IndexDefinition): string {
  return valueKey([unique, expireAfterSeconds, specification.partialFilterExpression ?? null]);
}

export function sameKey(left: IndexDefinition, right: IndexDefinition): boolean {
  return valueKey(left.specification.key) === valueKey(right.specification.key);
}
