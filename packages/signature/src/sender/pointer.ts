/** The value at an RFC 6901 pointer; undefined if there is none. Keys that every object inherits are never found. */
export function pick(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let found = value;
  for (const key of keysOf(pointer)) {
    if (typeof found !== 'object' || found === null) return undefined;
    if (Array.isArray(found) && !INDEX.test(key)) return undefined;
    if (!Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** RFC 6901, section 4: no leading zeros, and no `length`. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** A mapping reads the same pointers of each body, and to split them costs more than all else that it does. */
const known = new Map<string, readonly string[]>();
const MAX_KNOWN = 10_000;

function keysOf(pointer: string): readonly string[] {
  let keys = known.get(pointer);
  if (keys === undefined) {
    const parts = pointer.slice(1).split('/');
    keys = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(pointer, keys);
  }
  return keys;
}
