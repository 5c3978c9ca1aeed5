import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSource } from './ingress.ts';
import { expectNoSecret } from './no-secret.ts';
import { expectDocumented } from './openapi.ts';
import { type SignedRequest, signed, upsertBody } from './signed.ts';

/** The parts of a response that tests read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
  readonly body: any;
}

/** Sends a request unchanged. */
export async function post(url: string, request: SignedRequest): Promise<Answer> {
  const answer = await send(url, request);
  expectSound(answer);
  return answer;
}

/** The same without checks, for callers that measure the response time. */
export async function send(url: string, { headers, body }: SignedRequest): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Expects a documented response without a secret. */
export function expectSound(answer: Answer): void {
  expectNoSecret('a response of the webhook', JSON.stringify(answer.body));
  expectDocumented('sendEvent', { ...answer, contentType: answer.headers.get('content-type') });
}

/** The limit for a request that always gets a 503. */
const TRIES = 30;

/** The same, but retries byte for byte after the Retry-After of each 503, as senders do on a busy machine. */
export async function postUntilTaken(url: string, request: SignedRequest): Promise<Answer> {
  let answer = await post(url, request);
  for (let tries = 1; answer.status === 503 && tries < TRIES; tries++) {
    await sleep(Number(answer.headers.get('retry-after')) * 1000);
    answer = await post(url, request);
  }
  return answer;
}

/** Signs a body and sends it to a source. */
export function postTo(
  baseUrl: string,
  { path, secret }: Pick<TestSource, 'path' | 'secret'>,
  body: string | Uint8Array | object,
): Promise<Answer> {
  return post(baseUrl + path, signed({ secret, body }));
}

/** Signs an upsert (of a new event unless fields are given) and sends it to a source. */
export function postUpsert(
  baseUrl: string,
  source: Pick<TestSource, 'path' | 'secret'>,
  event: Record<string, unknown> = {},
): Promise<Answer> {
  return postTo(baseUrl, source, upsertBody(event));
}

/** The same, but retries after a 503. */
export function upsertUntilTaken(
  baseUrl: string,
  source: Pick<TestSource, 'path' | 'secret'>,
  event: Record<string, unknown> = {},
): Promise<Answer> {
  return postUntilTaken(baseUrl + source.path, signed({ secret: source.secret, body: upsertBody(event) }));
}
