import { arrayIndex, ownValue, type Path } from '../bson/path.ts';
import { type Fields, isDocument, typeOf } from '../bson/types.ts';
import { CommandError } from '../errors.ts';

/** The field stays unchanged. */
export const KEEP = Symbol('keep');
/** The field is removed. */
export const REMOVE = Symbol('remove');

/** Maps the value of a field (undefined: missing) to the new value, KEEP or REMOVE. */
export type Change = (current: unknown) => unknown;

/** Rejects an array index this far beyond the end (MongoDB's limit for filling with nulls). */
const MAX_PADDING = 1_500_000;

/** Changes the value at a path of the document in place. Setting a value creates missing documents along the path. */
export function changeAt(document: Fields, path: Path, change: Change): void {
  const [parent, missing] = descend(document, path);
  const name = path[path.length - 1 - missing.length] as string;
  const result = change(missing.length > 0 ? undefined : childOf(parent, name));
  if (result === KEEP) return;
  if (result === REMOVE) {
    if (missing.length === 0) removeChild(parent, name);
    return;
  }
  setChild(
    parent,
    name,
    missing.reduceRight((value: unknown, part) => ({ [part]: value }), result),
    path,
  );
}

/** The innermost existing container on the path, and the missing parts below it. */
function descend(document: Fields, path: Path): [holder: unknown, missing: string[]] {
  let holder: unknown = document;
  for (let i = 0; i < path.length - 1; i++) {
    const child = childOf(holder, path[i] as string);
    if (child === undefined) return [holder, path.slice(i + 1)];
    if (!isDocument(child) && !Array.isArray(child))
      return [new Scalar(child, path[i] as string), path.slice(i + 2)];
    holder = child;
  }
  return [holder, []];
}

/** A value without fields. Nothing can be read or removed below it, and setting below it is rejected. */
class Scalar {
  readonly value: unknown;
  readonly name: string;
  constructor(value: unknown, name: string) {
    this.value = value;
    this.name = name;
  }
}

function childOf(holder: unknown, name: string): unknown {
  if (holder instanceof Scalar) return undefined;
  if (!Array.isArray(holder)) return ownValue(holder as Fields, name);
  const index = arrayIndex(name);
  return index === undefined || index >= holder.length ? undefined : (holder[index] ?? null);
}

/** In an array the removed element becomes null. */
function removeChild(holder: unknown, name: string): void {
  if (holder instanceof Scalar) return;
  if (!Array.isArray(holder)) {
    delete (holder as Fields)[name];
    return;
  }
  const index = arrayIndex(name);
  if (index !== undefined && index < holder.length) holder[index] = null;
}

function setChild(holder: unknown, name: string, value: unknown, path: Path): void {
  if (holder instanceof Scalar) throw notViable(name, `{${holder.name}: ${describe(holder.value)}}`);
  if (!Array.isArray(holder)) {
    Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
    return;
  }
  const index = arrayIndex(name);
  if (index === undefined) throw notViable(name, `{${path[path.indexOf(name) - 1] ?? ''}: [ ... ]}`);
  if (index - holder.length > MAX_PADDING)
    throw new CommandError('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
  while (holder.length < index) holder.push(null);
  holder[index] = value;
}

function notViable(name: string, where: string): CommandError {
  return new CommandError('PathNotViable', `Cannot create field '${name}' in element ${where}`);
}

function describe(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : value === null ? 'null' : typeOf(value);
}
