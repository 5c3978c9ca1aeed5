import type { RawFields } from '../bson/raw-document.ts';
import { type Fields, isDocument, smallNumberOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Cursors } from './cursors.ts';

/** One command of a client, decoded with its BSON types. */
export interface Request {
  readonly name: string;
  readonly database: string;
  readonly body: Fields;
  /** Document sequences besides the body, by field. */
  readonly sequences: ReadonlyMap<string, readonly Buffer[]>;
}

/** The state that commands use. */
export interface CommandDeps {
  readonly catalog: Catalog;
  readonly cursors: Cursors;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A command: the fields it understands (any without a list), and its function. It runs synchronously, so no other command interleaves. */
export interface Command {
  readonly fields?: readonly string[];
  readonly run: (request: Request, deps: CommandDeps) => RawFields;
}

/** The namespace in the command's first field. Throws 73 InvalidNamespace for an invalid name. */
export function namespaceOf({ name, body, database }: Request): string {
  const collection = body[name];
  if (typeof collection !== 'string' || collection === '') {
    throw new CommandError('InvalidNamespace', `collection name has invalid type or is empty in '${name}'`);
  }
  return `${database}.${collection}`;
}

/** An optional whole number not below zero, such as a limit. Throws 14 TypeMismatch or 2 BadValue, naming the field. */
export function countField(body: Fields, field: string): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  const number = smallNumberOf(value);
  if (number === undefined)
    throw new CommandError('TypeMismatch', `BSON field '${field}' is the wrong type, expected a number`);
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER))
    throw new CommandError('BadValue', `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  return Math.trunc(number);
}

/** Throws 40415 if there is a field. */
export function refuseFields(place: string, fields: Fields): void {
  const [name] = Object.keys(fields);
  if (name !== undefined)
    throw new CommandError('IDLUnknownField', `BSON field '${place}.${name}' is an unknown field.`);
}

/** The documents of an array field, from the body or from a document sequence. `decode` is for the encoded ones. */
export function documentsField<T>(
  request: Request,
  field: string,
  read: { fields: (f: Fields) => T; bytes: (b: Buffer) => T },
): (() => T)[] {
  const sequence = request.sequences.get(field);
  if (sequence) return sequence.map((bytes) => () => read.bytes(bytes));
  const value = request.body[field];
  if (!Array.isArray(value))
    throw new CommandError(
      'IDLUnknownField',
      `BSON field '${request.name}.${field}' is missing but a required field`,
    );
  return value.map((element: unknown) => {
    if (!isDocument(element))
      throw new CommandError(
        'TypeMismatch',
        `BSON field '${request.name}.${field}' holds something that is no document`,
      );
    return () => read.fields(element);
  });
}
