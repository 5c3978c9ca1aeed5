import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import { post } from '../../support/post.ts';
import { signed, upsertBody } from '../../support/signed.ts';

/** Requests a second; well below the default rate of a source. */
const RATE = 25;
/** How often a request is sent that gets a 503: again when its answer says, as a sender does. */
const TRIES = 5;
/** A minute of them. */
const MOST = 60 * RATE;

/** What a sender saw who keeps to its rate. */
export interface PoliteRun {
  readonly deliveryIds: readonly string[];
  /** Answers 503, of which each was followed by another try. */
  readonly unavailable: number;
  /** Milliseconds within which 99 of 100 answers came. */
  readonly p99: number;
}

/** Sends so many requests at a steady pace whether answers come or not, and more until `over`; expects a 200 for each. */
export async function sendPolitely(
  url: string,
  source: TestSource,
  { requests, over = () => true }: { readonly requests: number; readonly over?: () => boolean },
): Promise<PoliteRun> {
  const took: number[] = [];
  let unavailable = 0;

  async function send(triesLeft = TRIES): Promise<string> {
    const sentAt = performance.now();
    const answer = await post(url + source.path, signed({ secret: source.secret, body: upsertBody() }));
    took.push(performance.now() - sentAt);
    if (answer.status === 503 && triesLeft > 1) {
      unavailable += 1;
      await pause(Number(answer.headers.get('retry-after')) * 1000);
      return send(triesLeft - 1);
    }
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.delivery_id;
  }

  const sent: Promise<string>[] = [];
  let failed = false;
  const startedAt = performance.now();
  while (!failed && (sent.length < requests || !over())) {
    if (sent.length === MOST) throw new Error(`${MOST} requests, and it is not over`);
    const one = send();
    one.catch(() => {
      failed = true;
    });
    sent.push(one);
    const nextAt = startedAt + (sent.length * 1000) / RATE;
    await new Promise((resolve) => setTimeout(resolve, nextAt - performance.now()));
  }
  return { deliveryIds: await Promise.all(sent), unavailable, p99: percentile(took, 0.99) };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
