import type { mongo } from 'mongoose';

/** The names of a document's fields, in the order in which documents are mostly written. */
export type FieldNames = readonly { readonly name: string; readonly encoded: Buffer }[];

/** The same option as in connection.ts. */
export const UNCHECKED: mongo.BSON.DeserializeOptions = { validation: { utf8: false } };

export function fieldNamesOf(blank: object): FieldNames {
  return Object.keys(blank).map((name) => ({ name, encoded: Buffer.from(`${name}\0`) }));
}

/** Index of the name that BSON has at a position. Searches from `next`, then from the start; -1 if no name matches. */
export function indexOfName(bytes: Buffer, at: number, names: FieldNames, next: number): number {
  for (let i = next; i < names.length; i++) if (isAt(names[i]?.encoded as Buffer, bytes, at)) return i;
  for (let i = 0; i < next; i++) if (isAt(names[i]?.encoded as Buffer, bytes, at)) return i;
  return -1;
}

function isAt(name: Buffer, bytes: Buffer, at: number): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}
