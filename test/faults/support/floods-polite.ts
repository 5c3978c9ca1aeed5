import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { postUntilTaken } from '../../support/post.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { until } from '../../support/until.ts';

/** Requests per second; well below the default rate of a source. */
const RATE = 25;

/** The results of a sender that keeps to its rate. */
export interface PoliteRun {
  readonly deliveryIds: readonly string[];
  /** The slowest response, with the retries after a 503. Milliseconds. */
  readonly slowestMs: number;
}

/** Sends `requests` at a steady pace without waiting for responses, and more until `over`. Expects a 200 for each. */
export async function sendPolitely(
  url: string,
  source: TestSource,
  { requests, over }: { readonly requests: number; readonly over: () => boolean },
): Promise<PoliteRun> {
  const sent: Promise<string>[] = [];
  let slowestMs = 0;
  const sendOne = async (): Promise<string> => {
    const sentAt = performance.now();
    const request = signed({ secret: source.secret, body: upsertBody() });
    const answer = await postUntilTaken(url + source.path, request);
    slowestMs = Math.max(slowestMs, performance.now() - sentAt);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.delivery_id;
  };
  while (sent.length < requests || !over()) {
    const one = sendOne();
    one.catch(() => undefined);
    sent.push(one);
    await sleep(1000 / RATE);
  }
  return { deliveryIds: await Promise.all(sent), slowestMs: Math.round(slowestMs) };
}

/** Resolves once each accepted request is in the delivery log. */
export async function expectLogged(
  pipeline: Pick<Pipeline, 'deliveries'>,
  source: TestSource,
  { deliveryIds }: PoliteRun,
): Promise<void> {
  const isLogged = async () => {
    const logged = new Set((await pipeline.deliveries(source)).map((row) => row.delivery_id));
    return deliveryIds.every((id) => logged.has(id));
  };
  await until(isLogged, { what: 'each accepted request is logged' });
}
