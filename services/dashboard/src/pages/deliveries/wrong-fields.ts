import { fieldOf } from '@sluice/contract/problem/problem';

/** The log keeps a sentence for each wrong field. Each begins with the pointer to the field. */
const POINTERS = /(?<=^| )\/[^\s:]+(?=: )/g;
/** Quotes are around values of the request, which may look like a pointer. */
const QUOTED = /"(?:[^"\\]|\\.)*"/g;

/** Returns the names of the wrong fields in the reason of a request that failed validation, such as `event.starts_at`. */
export function wrongFields(reason: string): string[] {
  const pointers = reason.replace(QUOTED, '').match(POINTERS) ?? [];
  return [...new Set(pointers.map((pointer) => fieldOf({ pointer, detail: '' })))];
}
