import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import type { SourceCreated } from '@sluice/dashboard-api/sources';
import { type Answer, post, postUntilTaken } from '../../support/post.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { until } from '../../support/until.ts';
import type { Person, Stack } from './stack.ts';

export interface TestSource {
  readonly id: string;
  readonly name: string;
  readonly endpointUrl: string;
  readonly secret: string;
}

let names = 0;

/** Creates a source through the API, as a person. */
export async function addSource(stack: Stack, person: Person): Promise<TestSource> {
  names += 1;
  const name = `Booking ${names}`;
  const { source, signing_secret: secret } = await callAs<SourceCreated>(stack, person, 'POST', '/sources', {
    name,
  });
  return { id: source.source_id, name, endpointUrl: source.endpoint_url, secret };
}

/** Calls the dashboard's API as a person. */
export async function callAs<T>(
  stack: Stack,
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${stack.url}${DASHBOARD_API}${path}`, {
    method,
    headers: { cookie: person.cookie, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

/** Sends a signed upsert, with the secret of the source or another one. */
export function send(
  source: TestSource,
  event: Record<string, unknown> = {},
  secret = source.secret,
): Promise<Answer> {
  return post(source.endpointUrl, signed({ secret, body: upsertBody(event) }));
}

/** The same, but retries after a 503, as senders do. */
export function sendUntilTaken(source: TestSource, event: Record<string, unknown>): Promise<Answer> {
  return postUntilTaken(source.endpointUrl, signed({ secret: source.secret, body: upsertBody(event) }));
}

/** Resolves once the worker has applied and logged a delivery, so that its page exists. */
export function untilLogged(stack: Stack, person: Person, deliveryId: string): Promise<void> {
  const find = () => callAs(stack, person, 'GET', `/deliveries/${deliveryId}`);
  return until(
    () =>
      find().then(
        () => true,
        () => false,
      ),
    { what: `the delivery ${deliveryId} is in the log` },
  );
}
