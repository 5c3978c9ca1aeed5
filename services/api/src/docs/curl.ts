import { WEBHOOK_PATH } from '@sluice/contract/delivery/webhook-path';
import type { PublicRoute } from '../public/layer/declare-route.ts';
import { EXAMPLES, PATH_EXAMPLES } from './examples.ts';

/** One entry of `x-codeSamples`, which reference viewers show beside an operation. */
export interface CodeSample {
  readonly lang: 'Shell';
  readonly label: 'curl';
  readonly source: string;
}

const shell = (lines: readonly string[]): CodeSample => ({
  ...{ lang: 'Shell', label: 'curl' },
  source: lines.join(' \\\n  '),
});

/** The request of a route as a curl command. It reads the key from the variable SLUICE_API_KEY. */
export function curlOf({ method, path, operationId, streams }: PublicRoute, apiUrl: string): CodeSample {
  const { body, query = '' } = EXAMPLES[operationId] ?? {};
  const filled = path.replace(/:(\w+)/g, (_, name: string) => PATH_EXAMPLES[name] ?? name);
  const url = `${apiUrl}${filled}${query}`;
  return shell([
    `curl -s${streams ? 'N' : ''}${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    '-H "Authorization: Bearer $SLUICE_API_KEY"',
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`]),
  ]);
}

/** A signed event as commands of a shell. They read the secret from the variable SLUICE_SIGNING_SECRET. */
export function signedCurl(eventsUrl: string): CodeSample {
  const command = shell([
    `curl -s '${eventsUrl}${WEBHOOK_PATH}src_…'`,
    `-H 'Content-Type: application/json'`,
    '-H "X-Service-Timestamp: $timestamp"',
    '-H "X-Service-Signature: sha256=$signature"',
    '-d "$body"',
  ]);
  const prepared = [
    `body='${JSON.stringify(EXAMPLES.sendEvent?.body)}'`,
    'timestamp=$(date +%s)',
    `signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$SLUICE_SIGNING_SECRET" -r | cut -d ' ' -f 1)`,
  ];
  return { ...command, source: [...prepared, command.source].join('\n') };
}
