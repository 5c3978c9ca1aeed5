/** Bytes of every body: what the published figures were measured with. */
const BODY_BYTES = 400;

/** The body of an upsert, filled up to exactly BODY_BYTES with its description. */
export function upsertBody(fields: Readonly<Record<string, unknown>>): string {
  const body = (description: string) =>
    JSON.stringify({ action: 'upsert', event: { ...fields, description } });
  return body('x'.repeat(BODY_BYTES - body('').length));
}
