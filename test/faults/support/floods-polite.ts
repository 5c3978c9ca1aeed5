import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestSource } from '../../support/ingress.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { until } from '../../support/until.ts';

/** The settings of a sender that keeps to its rate. */
export interface PoliteSettings {
  readonly url: string;
  readonly secret: string;
  /** The minimum number of requests, after some to warm up. */
  readonly requests: number;
}

/** The results of the sender. */
export interface PoliteRun {
  readonly deliveryIds: readonly string[];
  /** Responses with 503. A retry followed each. */
  readonly unavailable: number;
  /** The 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
}

const SENDER = fileURLToPath(new URL('floods-polite-sender.ts', import.meta.url));
const LOOK_EVERY_MS = 50;

export interface PoliteDeps {
  readonly requests: number;
  /** Called once the measured part has begun. */
  readonly onUnderWay?: () => void;
  /** Called to ask whether the run may end. */
  readonly over?: () => boolean;
}

/** Sends `requests` at a steady pace without waiting for responses, and more until `over`. Expects a 200 for each. */
export async function sendPolitely(
  url: string,
  source: TestSource,
  { requests, onUnderWay = () => {}, over = () => true }: PoliteDeps,
): Promise<PoliteRun> {
  const child = fork(SENDER, { serialization: 'advanced' });
  const exited = once(child, 'exit');
  const told = new Promise<{ run: PoliteRun } | { failure: string }>((resolve) => {
    child.on('message', (news: 'under way' | { run: PoliteRun } | { failure: string }) => {
      if (news === 'under way') onUnderWay();
      else resolve(news);
    });
  });
  child.send({ url: url + source.path, secret: source.secret, requests } satisfies PoliteSettings);
  const looking = setInterval(() => {
    if (!over()) return;
    clearInterval(looking);
    if (child.connected) child.send('over');
  }, LOOK_EVERY_MS);
  try {
    const news = await Promise.race([
      told,
      exited.then(([code]) => {
        throw new Error(`the polite sender ended with ${code}`);
      }),
    ]);
    if ('failure' in news) throw new Error(news.failure);
    return news.run;
  } finally {
    clearInterval(looking);
    child.kill('SIGKILL');
  }
}

/** How many accepted requests are missing from the delivery log in the end. */
export async function lostOf(
  pipeline: Pick<Pipeline, 'deliveries'>,
  polite: TestSource,
  { deliveryIds }: PoliteRun,
): Promise<number> {
  const missing = async () => {
    const rows = await pipeline.deliveries(polite);
    const logged = new Set(rows.map((row) => row.delivery_id));
    return deliveryIds.filter((id) => !logged.has(id)).length;
  };
  // After the timeout, the missing ones are returned.
  await until(async () => (await missing()) === 0, { withinMs: 60_000 }).catch(() => {});
  return missing();
}
