import { quoted } from './quoted.ts';
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
  return `secret=${secret === null ? `"$${SECRET_VARIABLE}"` : quoted(secret)}
body=${quoted(body)}
timestamp=$(date +%s)
signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')

curl -i ${quoted(url)} \\
  -H ${quoted(`Content-Type: ${contentType}`)} \\
  -H "X-Service-Timestamp: $timestamp" \\
  -H "X-Service-Signature: sha256=$signature" \\
  --data-raw "$body"
`;
}
