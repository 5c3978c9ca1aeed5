import { SCOPES, type Scope } from '@sluice/contract/account/scopes';
import { IDENTITY_PATH, type Identity, identity } from '@sluice/contract/api/public-api';
import { DAY_MS } from '@sluice/contract/time/durations';
import { checkApiKeyForm } from '@sluice/credentials/api-key';
import { type Answer, type Asked, rejectionIn } from './ask.ts';
import { judgeClock } from './clock.ts';
import { type Finding, ok, problem, skipped } from './finding.ts';

export interface CheckApiDeps {
  readonly url: URL | undefined;
  /** The text of the key; undefined: none is configured. */
  readonly key: string | undefined;
  readonly ask: (url: URL, headers?: Record<string, string>) => Promise<Answer>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

const NAME_KEY = 'Set SLUICE_API_KEY, or pass --key-file FILE.';
const COPY_KEY = 'Copy the whole key again, or create one in the dashboard under Settings, API Keys.';

/** Checks the API server, the clock and the key. */
export async function checkApi(deps: CheckApiDeps): Promise<readonly Finding[]> {
  const { url, key, ask } = deps;
  if (url === undefined)
    return [skipped('API server', 'none is named', 'Set SLUICE_URL, or pass --url https://….')];
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const asked = await ask(new URL(IDENTITY_PATH.slice(1), url), headers);
  if (asked.outcome === 'none')
    return [
      problem(
        'API server',
        `${url.origin}: ${asked.why}`,
        'Check the URL, the network and whether it is running.',
      ),
    ];
  const { answer } = asked;
  const isSluice = identity.safeParse(answer.body).success || rejectionIn(answer) !== undefined;
  // An ingress, and an API server below a wrong path, respond with 404.
  if (!isSluice || answer.status === 404)
    return [
      problem(
        'API server',
        `${url.origin}${url.pathname}: ${rejectionIn(answer) ?? `it responded ${answer.status}, and not as Sluice does`}`,
        'Check the URL. It is the address of the dashboard, without a path.',
      ),
    ];
  const server =
    answer.status >= 500
      ? problem(
          'API server',
          `${url.origin}: ${detailOf(answer)}`,
          'Look at its log, and at MongoDB and Redis.',
        )
      : ok('API server', `${url.origin} responded within ${answer.took_ms} ms`);
  const clock = answer.clockAheadMs === undefined ? [] : [judgeClock(url.origin, answer.clockAheadMs)];
  return [server, ...clock, ...checkKey(deps, answer)];
}

function checkKey({ key, now }: CheckApiDeps, answer: Asked): readonly Finding[] {
  if (key === undefined) return [skipped('API key', 'none is given', NAME_KEY)];
  const form = checkApiKeyForm(key);
  if (form.status === 'malformed')
    return [problem('API key', 'not an API key: it starts with slc_live_', COPY_KEY)];
  if (form.status === 'checksum_wrong')
    return [problem('API key', 'it has a typo: its checksum does not match', COPY_KEY)];
  const read = identity.safeParse(answer.body);
  if (answer.status === 200 && read.success)
    return [describeKey(read.data, now()), describeScopes(read.data)];
  if (answer.status === 401) return [problem('API key', detailOf(answer), COPY_KEY)];
  return [
    problem('API key', `it could not be checked: ${detailOf(answer)}`, 'Run this command again in a minute.'),
  ];
}

const SOON_MS = 14 * DAY_MS;

function describeKey({ account, key: { name, prefix, expires_at } }: Identity, now: number): Finding {
  const who = `"${name}" (${prefix}…) of ${account.name}`;
  if (expires_at === null) return ok('API key', `${who}; it does not expire`);
  const soon = Date.parse(expires_at) - now < SOON_MS;
  return ok(
    'API key',
    `${who}; it expires at ${expires_at}`,
    soon ? 'Replace it soon: sluice key rotate.' : null,
  );
}

/** The commands and integrations that need a scope. */
const NEEDED_FOR: Readonly<Record<Scope, string>> = {
  'read:leads': 'real samples of leads, and listing them',
  'write:leads': 'creating and changing leads',
  'read:conversations': 'real samples of conversations, and reading them',
  'write:conversations': 'sending replies',
  webhooks: 'sluice listen, sluice trigger, and triggers of n8n and Zapier',
};

function describeScopes({ key: { scopes } }: Identity): Finding {
  const missing = (Object.keys(SCOPES) as Scope[]).filter((scope) => !scopes.includes(scope));
  const has = `has ${scopes.join(', ')}`;
  if (missing.length === 0) return ok('scopes', has);
  const without = missing.map((scope) => `${scope} (for ${NEEDED_FOR[scope]})`).join('; ');
  return ok(
    'scopes',
    `${has}; lacks ${without}`,
    'A key with other scopes: sluice key create, or Settings, API Keys.',
  );
}

function detailOf(answer: Asked): string {
  return rejectionIn(answer) ?? `it responded ${answer.status}`;
}
