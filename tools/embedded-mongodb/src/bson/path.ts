import { type Fields, isDocument } from './types.ts';

/** A dotted field path, cut at its dots. */
export type Path = readonly string[];

/** Visits one value of a path. Returning true ends the walk. `undefined` is a missing field. */
export type Visit = (value: unknown) => boolean;

export function parsePath(dotted: string): Path {
  return dotted.split('.');
}

/**
 * Visits every value that a query on the path tests, until one visit returns true (manual, "Query an Array of Embedded
 * Documents"). It enters arrays along the path, and a numeric part is also an array index. With `intoLeaf` it visits an
 * array at the end of the path element by element and then as a whole, otherwise only as a whole.
 */
export function someAt(document: Fields, path: Path, intoLeaf: boolean, visit: Visit): boolean {
  return someFrom(document, path, 0, intoLeaf, visit);
}

function someFrom(parent: unknown, path: Path, depth: number, intoLeaf: boolean, visit: Visit): boolean {
  if (!isDocument(parent)) return visit(undefined);
  return someIn(ownValue(parent, path[depth] as string), path, depth + 1, intoLeaf, visit);
}

/** `value` is the value at the first `depth` parts of the path. */
function someIn(value: unknown, path: Path, depth: number, intoLeaf: boolean, visit: Visit): boolean {
  if (depth === path.length) return atLeaf(value, intoLeaf, visit);
  if (!Array.isArray(value)) return someFrom(value, path, depth, intoLeaf, visit);
  for (const element of value) {
    if (isDocument(element) && someFrom(element, path, depth, intoLeaf, visit)) return true;
  }
  const index = arrayIndex(path[depth] as string);
  return (
    index !== undefined && index < value.length && someIn(value[index], path, depth + 1, intoLeaf, visit)
  );
}

function atLeaf(value: unknown, intoLeaf: boolean, visit: Visit): boolean {
  if (intoLeaf && Array.isArray(value) && value.some((element) => visit(element ?? null))) return true;
  return visit(value);
}

/** An own field of the document, never an inherited one (`constructor`, `__proto__`). */
export function ownValue(document: Fields, name: string): unknown {
  return Object.hasOwn(document, name) ? document[name] : undefined;
}

/** The array index of a path part, or undefined if it is not one. */
export function arrayIndex(part: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(part) ? Number(part) : undefined;
}

/** The values of a path, for sorting and indexing. */
export interface PathValues {
  /** Every value, an array at the end replaced by its elements; an empty array gives none. */
  readonly values: unknown[];
  /** True if the path passes through or ends in an array. */
  readonly throughArray: boolean;
}

export function valuesAt(document: Fields, path: Path): PathValues {
  const only = simpleValueAt(document, path);
  if (only !== IN_ARRAY) return { values: [only], throughArray: false };
  const values: unknown[] = [];
  gather(ownValue(document, path[0] as string), path, 1, values);
  return { values, throughArray: true };
}

/**
 * `value` is the value at the first `depth` parts of the path. If the path continues, each element of an array counts, and
 * one that is not a document counts as missing. If the next part is an index, only the element at that index counts.
 */
function gather(value: unknown, path: Path, depth: number, values: unknown[]): void {
  if (depth === path.length) {
    if (Array.isArray(value)) for (const element of value) values.push(element ?? null);
    else values.push(value);
    return;
  }
  const part = path[depth] as string;
  const named = Array.isArray(value) ? namedElement(value, part) : undefined;
  if (named !== undefined) {
    gather(named, path, depth + 1, values);
    return;
  }
  const parents: unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
  for (const parent of parents) {
    if (isDocument(parent)) gather(ownValue(parent, part), path, depth + 1, values);
    else values.push(undefined);
  }
}

/** The element at the index in this part, unless an element has a field of that name. */
function namedElement(array: readonly unknown[], part: string): unknown {
  const index = arrayIndex(part);
  if (index === undefined) return undefined;
  const isName = array.some((element) => isDocument(element) && Object.hasOwn(element, part));
  return isName ? undefined : array[index];
}

const IN_ARRAY = Symbol('in array');

/** The single value of a path without arrays, which is the fast and usual case. */
function simpleValueAt(document: Fields, path: Path): unknown {
  let value: unknown = document;
  for (const part of path) {
    if (!isDocument(value)) return Array.isArray(value) ? IN_ARRAY : undefined;
    value = ownValue(value, part);
  }
  return Array.isArray(value) ? IN_ARRAY : value;
}
