import type { PendingRecord } from '@sluice/store/pending/pending-record';

/** Memory of a change without its texts, about. */
const FIXED = 1024;

/** A rough size of a record's changes in memory, in UTF-16 units. Never throws. */
export function sizeOf({ changes, texts }: PendingRecord): number {
  let size = 0;
  for (const { data, previous } of changes) size += FIXED + textIn(data) + textIn(previous);
  for (const text of texts ?? []) size += text.length;
  return size;
}

/** Texts are the only large parts. A conversation is one level further down. */
function textIn(value: unknown, depth = 2): number {
  if (typeof value === 'string') return value.length;
  if (depth === 0 || typeof value !== 'object' || value === null) return 0;
  let size = 0;
  for (const part of Object.values(value)) size += textIn(part, depth - 1);
  return size;
}
