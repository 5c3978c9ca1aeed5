import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import { type Answer, postUpsert } from '../../support/post.ts';

/** Requests a second; well below the default rate of a source. */
const RATE = 25;

/** What a sender saw who keeps to its rate. */
export interface PoliteRun {
  readonly deliveryIds: readonly string[];
  /** Milliseconds within which 99 of 100 were answered. */
  readonly p99: number;
}

/** Sends at a steady pace, whether answers come or not, for a time or until `over`; expects a 200 each. */
export async function sendPolitely(
  url: string,
  source: TestSource,
  { ms, over = () => false }: { readonly ms: number; readonly over?: () => boolean },
): Promise<PoliteRun> {
  const took: number[] = [];
  const answers: Promise<Answer>[] = [];
  const endAt = performance.now() + ms;
  while (performance.now() < endAt && !over()) {
    const sentAt = performance.now();
    const answer = postUpsert(url, source).then((received) => {
      took.push(performance.now() - sentAt);
      return received;
    });
    answers.push(answer);
    await new Promise((resolve) => setTimeout(resolve, 1000 / RATE));
  }
  const received = await Promise.all(answers);
  expect(received.filter(({ status }) => status !== 200).map(({ body }) => body)).to.deep.equal([]);
  return { deliveryIds: received.map(({ body }) => body.delivery_id), p99: percentile(took, 0.99) };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
