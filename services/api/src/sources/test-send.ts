import { createHash } from 'node:crypto';
import { showSecret } from '@sluice/accounts/secrets/show-secret';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { newId } from '@sluice/credentials/ids';
import { whyUnopened } from '@sluice/credentials/why-unopened';
import type { Break } from '@sluice/dashboard-api/breaks';
import { ROUTES } from '@sluice/dashboard-api/routes';
import { type TestSent, testSend } from '@sluice/dashboard-api/test-send';
import { endpointUrl } from '@sluice/runtime/http/endpoint-url';
import type { Profile } from '@sluice/signature/sender/profile';
import { signAs } from '@sluice/signature/sender/sign-as';
import { signBody } from '@sluice/signature/sign';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { Binder } from '../http/bind.ts';
import { LARGE_BODY_BYTES } from '../http/read-body.ts';
import { done, notFound, refuse } from '../http/result.ts';
import type { RouteDeps } from '../parts.ts';

const TIMEOUT_MS = 10_000;
/** Characters of a signature that are shown. */
const SHOWN_SIGNATURE = 8;

/** Signs a request and sends it through the real ingress, to show the response that a sender would get. */
export function testSendRoute({ guarded }: Binder, deps: RouteDeps): void {
  const inputs = { body: testSend, maxBodyBytes: LARGE_BODY_BYTES };
  guarded(ROUTES.sources.testSend, inputs, async ({ who, params, body }) => {
    const source = await deps.ownSource(who, params.sourceId);
    // The test requests are events, which a channel does not accept.
    if (source === undefined || isChannel(source)) return notFound('source');
    const opened = showSecret(deps.keyring, source);
    if (opened.status !== 'opened') return refuse('conflict', whyUnopened(opened));
    const wanted = { body: body.body, break: body.break, secret: opened.secret, nowMs: deps.now() };
    const verify = source.sender?.verify;
    const made = verify === undefined ? requestOf(wanted) : foreignRequestOf(verify, wanted);
    const address = endpointUrl(deps.ingressUrl, source.source_id);
    try {
      if (body.break === 'twice') await post(address, made);
      const answer = await post(address, made);
      return done(describe(endpointUrl(deps.eventsUrl, source.source_id), made, answer));
    } catch {
      return refuse(
        'unavailable',
        'The ingress is not responding. Ask the operator to start it, or to correct INGRESS_URL.',
        {
          retryAfterSeconds: 2,
          reason: 'ingress_away',
        },
      );
    }
  });
}

interface Made {
  readonly body: string;
  readonly headers: Record<string, string>;
  /** The headers with the signature shortened. */
  readonly shown: Record<string, string>;
}

const SIX_MINUTES_MS = 6 * MINUTE_MS;

interface Wanted {
  readonly body: string;
  readonly break: Break;
  readonly secret: string;
  readonly nowMs: number;
}

function requestOf({ body, break: broken, secret, nowMs }: Wanted): Made {
  const sent = broken in BODY_BREAKS ? BODY_BREAKS[broken as keyof typeof BODY_BREAKS](body) : body;
  const at = broken === 'old_timestamp' ? nowMs - SIX_MINUTES_MS : nowMs;
  const timestamp = String(broken === 'milliseconds' ? at : Math.floor(at / 1000));
  const right = signBody({ secret, timestamp, body: Buffer.from(sent) });
  const signature =
    broken === 'bad_signature'
      ? signBody({ secret: 'not the secret', timestamp, body: Buffer.from(sent) })
      : right;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Sluice dashboard',
    'x-service-timestamp': timestamp,
  };
  if (broken === 'no_signature') return { body: sent, headers, shown: headers };
  const shown = {
    ...headers,
    'x-service-signature': `${signature.slice(0, 'sha256='.length + SHOWN_SIGNATURE)}…`,
  };
  return { body: sent, headers: { ...headers, 'x-service-signature': signature }, shown };
}

/** Signs like another sender. Errors in the event of an action are not those of its bodies. */
function foreignRequestOf(verify: Profile, { body, break: broken, secret, nowMs }: Wanted): Made {
  const sent = broken === 'broken_json' ? BODY_BREAKS.broken_json(body) : body;
  const headers = { 'content-type': 'application/json', 'user-agent': 'Sluice dashboard' };
  if (broken === 'no_signature') return { body: sent, headers, shown: headers };
  const isBad = broken === 'bad_signature';
  const signed = signAs(verify, {
    // Another secret may not have the form that the key needs.
    secret: isBad && verify.kind !== 'hmac' ? 'not the secret' : secret,
    body: Buffer.from(isBad ? `${sent} ` : sent),
    id: newId('req'),
    nowMs,
  });
  return {
    body: sent,
    headers: { ...headers, ...signed },
    shown: { ...headers, ...shortened(verify, signed) },
  };
}

/** The headers with the signature shortened, which is the end of its header. A token is the secret, so nothing of it is shown. */
function shortened(verify: Profile, signed: Readonly<Record<string, string>>): Record<string, string> {
  if (verify.kind !== 'hmac') return Object.fromEntries(Object.keys(signed).map((name) => [name, '…']));
  const { algorithm, encoding, header } = verify;
  const signatureLength = createHash(algorithm).digest(encoding).length;
  const shown = Object.entries(signed).map(([name, value]) => {
    const end = value.length - signatureLength + SHOWN_SIGNATURE;
    return [name, header.includes(name) ? `${value.slice(0, end)}…` : value] as const;
  });
  return Object.fromEntries(shown);
}

const BODY_BREAKS = {
  missing_title: (body: string) => changed(body, (event) => ({ ...event, title: undefined })),
  no_offset: (body: string) => changed(body, (event) => ({ ...event, starts_at: '2030-06-01T18:00' })),
  bad_date: (body: string) => changed(body, (event) => ({ ...event, starts_at: '2030-02-30T18:00:00Z' })),
  broken_json: (body: string) => body.slice(0, Math.max(1, Math.floor(body.length / 2))),
} satisfies Partial<Record<Break, (body: string) => string>>;

/** Changes the event in the body. Returns the body unchanged if it is not valid JSON. */
function changed(body: string, change: (event: Record<string, unknown>) => object): string {
  try {
    const parsed = JSON.parse(body) as { event?: Record<string, unknown> };
    return JSON.stringify({ ...parsed, event: change(parsed.event ?? {}) });
  } catch {
    return body;
  }
}

async function post(url: string, { body, headers }: Made): Promise<TestSent['answer']> {
  const since = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
  const text = await response.text();
  const duration_ms = Math.round((performance.now() - since) * 10) / 10;
  return { status: response.status, headers: Object.fromEntries(response.headers), body: text, duration_ms };
}

function describe(url: string, { body, shown }: Made, answer: TestSent['answer']): TestSent {
  return { request: { url, headers: shown, body }, answer };
}
