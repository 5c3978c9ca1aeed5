import { type Sample, SECRET_VARIABLE } from './sample.ts';

export const curl: Sample = {
  id: 'curl',
  label: 'curl',
  file: 'a shell',
  run: '',
  code: ({ endpointUrl, secret, body }) => signedCurl({ url: endpointUrl, secret, body }),
};

interface SignedCurlInput {
  readonly url: string;
  /** null: read from the environment. */
  readonly secret: string | null;
  /** Sent byte for byte. */
  readonly body: string;
  readonly contentType?: string;
}

/** Returns shell code that signs a body with the current time and sends it. */
export function signedCurl({ url, secret, body, contentType = 'application/json' }: SignedCurlInput): string {
  // In parentheses, the shell reads all lines before it asks for the secret.
  return `(
${secretLines(secret)}
body=${quoted(body)}
timestamp=$(date +%s)
signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')

curl -i ${quoted(url)} \\
  -H ${quoted(`Content-Type: ${contentType}`)} \\
  -H "X-Service-Timestamp: $timestamp" \\
  -H "X-Service-Signature: sha256=$signature" \\
  --data-raw "$body"
)
`;
}

/** Sets the secret: inserted, from the environment, or typed without showing it. */
function secretLines(secret: string | null): string {
  if (secret !== null) return `secret=${quoted(secret)}`;
  return `secret=$${SECRET_VARIABLE}
if [ -z "$secret" ]; then
  printf 'Signing secret (whsec_...): ' >&2
  stty -echo 2>/dev/null; read -r secret; stty echo 2>/dev/null; echo >&2
fi`;
}

/** Quotes a text as one shell word. No shell accepts the character NUL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
