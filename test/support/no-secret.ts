/** Matches a signing secret, an API key or a signature that is long enough to be misused. */
export const SECRET_SHAPE = /whsec_\w{20}|slc_live_\w{20}|sha256=[0-9a-f]{20}/;

/** Throws if a text contains a secret. The message names the place, but not the secret. */
export function expectNoSecret(place: string, text: string, known: readonly string[] = []): void {
  const shaped = SECRET_SHAPE.exec(text)?.[0];
  if (shaped !== undefined)
    throw new Error(`${place} contains a secret that begins with ${shaped.slice(0, 10)}`);
  const index = known.findIndex((secret) => text.includes(secret));
  if (index !== -1) throw new Error(`${place} contains the known secret number ${index + 1}`);
}
