/** The ETag of a record: its revision in quotes. */
export function formatEtag(revision: number): string {
  return `"${revision}"`;
}

/**
 * Whether an If-None-Match header names the revision (RFC 9110, 13.1.2), so that the client has the record already. A proxy that
 * compresses marks the tag as weak.
 */
export function isRevisionKnown(header: string | undefined, revision: number): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(formatEtag(revision));
}

/**
 * Reads the revisions in an If-Match header (RFC 9110, 13.1.1). Undefined: there is no header, or `*`, which every
 * existing record fits. A tag that is not a revision, or weak, fits no record, so it is left out.
 */
export function readIfMatch(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((tag) => {
    const digits = /^"(\d{1,15})"$/.exec(tag.trim())?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
}
