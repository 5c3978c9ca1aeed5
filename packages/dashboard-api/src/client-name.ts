/** User-Agents whose first word does not name the product. */
const KNOWN: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/n8n/i, 'n8n'],
  [/zapier/i, 'Zapier'],
  [/make\/|integromat/i, 'Make'],
  [/activepieces/i, 'Activepieces'],
  [/pipedream/i, 'Pipedream'],
  [/postman/i, 'Postman'],
];

/** The client that a User-Agent names, for people: `Zapier`, or the first product with its version, such as `curl 8.5.0`. */
export function clientName(userAgent: string): string {
  const known = KNOWN.find(([pattern]) => pattern.test(userAgent));
  if (known !== undefined) return known[1];
  const [product = userAgent] = userAgent.split(' ', 1);
  return product.replace('/', ' ');
}
