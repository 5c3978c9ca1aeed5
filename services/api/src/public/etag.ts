import { hash } from 'node:crypto';
import type * as z from 'zod';
import { jsonSchemaOf } from '../http/json-schema.ts';

/** The ETag of a record: its revision, and the shape in which this version shows it. */
export function formatEtag(revision: number, record: z.ZodType): string {
  return `"${revision}-${shapeOf(record)}"`;
}

const shapes = new WeakMap<z.ZodType, string>();

/** Changes with the schema of the record. So a client gets a field that a new version adds, also of a record that did not change. */
function shapeOf(record: z.ZodType): string {
  const known = shapes.get(record);
  if (known !== undefined) return known;
  const shape = hash('sha256', JSON.stringify(jsonSchemaOf(record, 'output'))).slice(0, 8);
  shapes.set(record, shape);
  return shape;
}

/** A proxy that compresses marks a tag as weak. */
const WEAK = /^W\//;

/** Whether an If-None-Match header has the tag (RFC 9110, 13.1.2), so that the client has the record already. */
export function isTagKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((one) => one.trim().replace(WEAK, ''));
  return tags.includes('*') || tags.includes(tag);
}

/**
 * Reads the revisions in an If-Match header (RFC 9110, 13.1.1). Undefined: there is no header, or `*`, which every
 * existing record fits. A tag that is not a revision fits no record, so it is left out. A weak one counts: behind a proxy that
 * compresses a client has no other, and the revision is the same. Some proxies append the compression: Apache sends `"7-1a2b3c4d-gzip"`.
 */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const digits = /^"(\d{1,15})(?:-[\da-f]{8})?(?:--?(?:gzip|br|zstd))?"$/.exec(
      tag.trim().replace(WEAK, ''),
    )?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}
