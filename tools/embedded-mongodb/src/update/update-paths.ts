import { type Path, parsePath } from '../bson/path.ts';
import { CommandError, notSupported } from '../errors.ts';

/** Checks a path of an update operator. Rejects empty names (56), `$` names (52) and positional parts (238). */
export function checkUpdatePath(name: string): Path {
  const path = parsePath(name);
  if (path.includes('')) {
    throw new CommandError(
      'EmptyFieldName',
      `The update path '${name}' contains an empty field name, which is not allowed.`,
    );
  }
  for (const part of path) {
    if (part === '$' || part.startsWith('$[')) throw notSupported(`the positional update path '${name}'`);
    if (part.startsWith('$')) {
      throw new CommandError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${part}' in '${name}' is not valid for storage.`,
      );
    }
  }
  return path;
}

/** Rejects two operators on one path, or one on a path inside another's (40, like MongoDB). */
export function refuseConflicts(names: readonly string[]): void {
  const seen = new Set<string>();
  const above = new Set<string>();
  for (const name of names) {
    const prefixes = prefixesOf(name);
    const clash = seen.has(name) || above.has(name) ? name : prefixes.find((prefix) => seen.has(prefix));
    if (clash !== undefined) {
      throw new CommandError(
        'ConflictingUpdateOperators',
        `Updating the path '${name}' would create a conflict at '${clash}'`,
      );
    }
    seen.add(name);
    for (const prefix of prefixes) above.add(prefix);
  }
}

/** Returns `a` and `a.b` for `a.b.c`. */
function prefixesOf(name: string): string[] {
  const path = parsePath(name);
  return path.slice(1).map((_, i) => path.slice(0, i + 1).join('.'));
}
