import { ownValue } from '../bson/path.ts';
import { type Fields, isDocument, numberOf } from '../bson/types.ts';
import { CommandError, notSupported } from '../errors.ts';

/** The fields below a point of a projection: true for the whole field, a tree for parts of it. */
type Tree = Map<string, Tree | true>;

export type Projection = (document: Fields) => Fields;

/**
 * Parses a projection (manual, "Project Fields to Return from Query"): included or excluded fields, dotted paths, and `_id`
 * separately. Returns null if there is nothing to project. Rejects expressions, $slice, $elemMatch, $meta and positional `$`
 * by name.
 */
export function parseProjection(value: unknown): Projection | null {
  if (value === undefined) return null;
  if (!isDocument(value))
    throw new CommandError('TypeMismatch', 'Expected field projection to be of type object');
  const entries = Object.entries(value).map(([name, wanted]) => [name, isIncluded(name, wanted)] as const);
  if (entries.length === 0) return null;
  const fields = entries.filter(([name]) => name !== '_id');
  const idIncluded = entries.find(([name]) => name === '_id')?.[1];
  const inclusive = fields.length > 0 ? fields.some(([, included]) => included) : idIncluded === true;
  const misfit = fields.find(([, included]) => included !== inclusive);
  if (misfit) {
    throw new CommandError(
      'BadValue',
      `Cannot do ${inclusive ? 'exclusion' : 'inclusion'} on field ${misfit[0]} in ${inclusive ? 'inclusion' : 'exclusion'} projection`,
    );
  }
  const tree = buildTree(fields.map(([name]) => name));
  if (inclusive ? idIncluded !== false : idIncluded === false) tree.set('_id', true);
  return (document) => (inclusive ? included(document, tree) : excluded(document, tree));
}

function isIncluded(name: string, wanted: unknown): boolean {
  if (name.includes('$')) throw notSupported(`the positional projection '${name}'`);
  if (typeof wanted === 'boolean') return wanted;
  const number = numberOf(wanted);
  if (number !== undefined) return Number(number) !== 0;
  const operator = isDocument(wanted) ? Object.keys(wanted)[0] : undefined;
  throw notSupported(
    operator?.startsWith('$')
      ? `${operator} in a projection`
      : `the projection of '${name}' to a value or expression`,
  );
}

function buildTree(names: readonly string[]): Tree {
  const root: Tree = new Map();
  for (const name of names) {
    let tree = root;
    const parts = name.split('.');
    for (const [i, part] of parts.entries()) {
      const below = tree.get(part);
      const last = i === parts.length - 1;
      if (below === true || (last && below)) throw new CommandError('BadValue', `Path collision at ${name}`);
      if (last) tree.set(part, true);
      else tree.set(part, below ?? new Map());
      tree = (tree.get(part) as Tree | true) === true ? tree : (tree.get(part) as Tree);
    }
  }
  return root;
}

function included(document: Fields, tree: Tree): Fields {
  const result: Fields = {};
  for (const name of Object.keys(document)) {
    const below = tree.get(name);
    if (below === undefined) continue;
    const value = below === true ? ownValue(document, name) : includedIn(document[name], below);
    if (value !== undefined) define(result, name, value);
  }
  return result;
}

/** Scalars have no parts to include; inside arrays only documents (and arrays of them) remain. */
function includedIn(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value))
    return value
      .map((element: unknown) => includedIn(element, tree))
      .filter((element) => element !== undefined);
  return isDocument(value) ? included(value, tree) : undefined;
}

function excluded(document: Fields, tree: Tree): Fields {
  const result: Fields = {};
  for (const name of Object.keys(document)) {
    const below = tree.get(name);
    if (below === true) continue;
    define(result, name, below ? excludedIn(document[name], below) : document[name]);
  }
  return result;
}

function excludedIn(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => excludedIn(element, tree));
  return isDocument(value) ? excluded(value, tree) : value;
}

/** Sets a field as data, even one named `__proto__`. */
function define(target: Fields, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}
