// Runs as its own process, so that garbage collection in the test does not delay a response: see floods-polite.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectSound, send } from '../../support/post.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import type { PoliteRun, PoliteSettings } from './floods-polite.ts';

/** Requests per second; well below the default rate of a source. */
const RATE = 25;
/** How often a request is sent that gets a 503. It waits for Retry-After, as a sender does. */
const TRIES = 5;
/** The requests of one minute. */
const MOST = 60 * RATE;
/** The first requests of a process are the slowest because it still loads code. The flood does not cause that. */
const WARM_UP = 10;

let over = false;

async function sendPolitely({ url, secret, requests }: PoliteSettings): Promise<PoliteRun> {
  const sent: Promise<string>[] = [];
  const tookMs: number[] = [];
  let unavailable = 0;

  async function sendOne(triesLeft = TRIES): Promise<string> {
    const title = `Polite ${process.pid} ${sent.length}`; // no run's events are another's
    const request = signed({ secret, body: upsertBody({ title }) });
    const sentAt = performance.now();
    const answer = await send(url, request);
    tookMs.push(performance.now() - sentAt);
    expectSound(answer);
    if (answer.status === 503 && triesLeft > 1) {
      unavailable += 1;
      await sleep(Number(answer.headers.get('retry-after')) * 1000);
      return sendOne(triesLeft - 1);
    }
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.delivery_id;
  }

  for (let i = 0; i < WARM_UP; i++) {
    const one = sendOne();
    sent.push(one);
    await one;
  }
  tookMs.length = 0;
  unavailable = 0;
  process.send?.('under way');

  let failed = false;
  const startedAt = performance.now();
  for (let timed = 1; !failed && (timed <= requests || !over); timed++) {
    if (timed > MOST) throw new Error(`${MOST} requests, and it is not over`);
    const one = sendOne();
    one.catch(() => {
      failed = true;
    });
    sent.push(one);
    const nextAt = startedAt + (timed * 1000) / RATE;
    await sleep(nextAt - performance.now());
  }
  return { deliveryIds: await Promise.all(sent), unavailable, p99: percentile(tookMs, 0.99) };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

process.once('message', (settings: PoliteSettings) => {
  process.once('message', () => {
    over = true;
  });
  sendPolitely(settings).then(
    (run) => process.send?.({ run }, () => process.exit()),
    (error: Error) => process.send?.({ failure: error.message }, () => process.exit()),
  );
});
process.on('disconnect', () => process.exit());
