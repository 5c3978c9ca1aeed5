/** Size of every body, as in the published figures. Bytes. */
const BODY_BYTES = 400;

/** The body of an upsert, padded to exactly BODY_BYTES by its description. */
export function upsertBody(fields: Readonly<Record<string, unknown>>): string {
  const body = (description: string) =>
    JSON.stringify({ action: 'upsert', event: { ...fields, description } });
  return body('x'.repeat(BODY_BYTES - body('').length));
}
