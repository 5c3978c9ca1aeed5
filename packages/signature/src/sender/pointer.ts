/** The value at an RFC 6901 pointer; undefined if there is none. Keys that every object inherits are never found. */
export function pick(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let found = value;
  for (const part of pointer.slice(1).split('/')) {
    if (typeof found !== 'object' || found === null) return undefined;
    const key = part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
    if (Array.isArray(found) && !INDEX.test(key)) return undefined;
    if (!Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

/** RFC 6901, section 4: no leading zeros, and no `length`. */
const INDEX = /^(?:0|[1-9]\d{0,9})$/;
