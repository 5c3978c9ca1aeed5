import { type Sample, SECRET_VARIABLE, sampleBody } from './sample.ts';

export const curl: Sample = {
  id: 'curl',
  label: 'curl',
  file: 'a shell',
  run: '',
  code: ({
    endpointUrl,
    secret,
    startsAt,
  }) => `secret=${secret === null ? `"$${SECRET_VARIABLE}"` : `'${secret}'`}
body='${sampleBody(startsAt)}'
timestamp=$(date +%s)
signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$secret" | sed 's/^.* //')

curl -i '${endpointUrl}' \\
  -H 'Content-Type: application/json' \\
  -H "X-Service-Timestamp: $timestamp" \\
  -H "X-Service-Signature: sha256=$signature" \\
  --data-binary "$body"
`,
};
