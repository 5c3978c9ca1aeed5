import type { Lead } from './lead-document.ts';

/** The names of the fields, ids, times and punctuation. */
const REST = 420;

/** The bytes of a lead in JSON, but for characters that JSON escapes. Making the JSON would cost more than all else of a list. */
export function jsonBytes({ name, company, email, phone, external_id, note, tags, fields }: Lead): number {
  let bytes = REST;
  for (const text of [name, company, email, phone, external_id, note]) if (text) bytes += bytesOf(text);
  for (const tag of tags) bytes += bytesOf(tag);
  for (const [key, value] of fields) bytes += bytesOf(key) + bytesOf(String(value));
  return bytes;
}

/** With quotes and a comma. */
const bytesOf = (text: string): number => Buffer.byteLength(text) + 3;
