import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { startSluice } from '../support/pipeline.ts';
import { startProgram } from '../support/processes.ts';
import { startSender } from '../support/sender.ts';
import { onStage } from '../support/stage.ts';
import { median, percentile } from '../support/stats.ts';
import { formatTable, ms } from '../support/table.ts';

const MEASURED = ['sluice', 'bare', 'ping', 'write'] as const;
type Latencies = Record<(typeof MEASURED)[number], number[]>;

const NAMES: Readonly<Record<keyof Latencies, string>> = {
  sluice: 'Sluice, the whole way to the 200',
  bare: 'node:http, nothing but an answer',
  ping: 'a Redis round trip (PING)',
  write: 'a Redis round trip that writes (SET, with its fsync)',
};

/** A pause, so that the work after a response ends before the next request. */
const PAUSE_MS = 3;
const REQUESTS_A_BLOCK = 100;

/** The time of one request alone, against a bare response and the two Redis round trips that every queue needs. */
export async function idleFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const latencies = await step('one request at a time', () => measure(quick ? 3 : 20));
  const p50 = (of: keyof Latencies) => median(latencies[of]);
  const over = (trip: 'ping' | 'write') => p50('sluice') - p50('bare') - 2 * p50(trip);
  const text = formatTable(
    ['', 'p50 ms', 'p99 ms'],
    [
      ...MEASURED.map((name) => [NAMES[name], ms(p50(name)), ms(percentile(latencies[name], 0.99))]),
      ['over a bare answer and two PINGs', ms(over('ping')), ''],
      ['over a bare answer and two writes', ms(over('write')), ''],
    ],
  );
  const data = { overPingsMs: over('ping'), overWritesMs: over('write'), latencies };
  return { tables: [{ title: 'latency of one request alone', text }], data };
}

/** Blocks alternate, so that a slow moment affects all. The first block warms up. */
function measure(blocks: number): Promise<Latencies> {
  return onStage(async (keep) => {
    const { urls, sources, redis } = await startSluice(keep, { store: 'embedded' });
    const bare = await keep(startProgram('raw', {}));
    const sender = await keep(startSender({ targets: sources }));
    const client = new Redis(redis.url);
    await keep({ stop: async () => client.disconnect() });
    const latencies: Latencies = { sluice: [], bare: [], ping: [], write: [] };
    const send = async (to: readonly string[]): Promise<readonly number[]> => {
      await sender.prepare(REQUESTS_A_BLOCK);
      const order = { mode: 'closed', connections: 1, count: REQUESTS_A_BLOCK, pauseMs: PAUSE_MS } as const;
      return (await sender.send({ ...order, urls: to, tell: 'latencies' })).latencies;
    };
    for (let block = 0; block <= blocks; block++) {
      const round = {
        sluice: await send(urls),
        bare: await send([bare.url]),
        ping: await trips(() => client.ping()),
        write: await trips(() => client.set('bench-idle', block)),
      };
      if (block > 0) for (const name of MEASURED) latencies[name].push(...round[name]);
    }
    return latencies;
  });
}

async function trips(trip: () => Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  for (let i = 0; i < REQUESTS_A_BLOCK; i++) {
    const since = performance.now();
    await trip();
    latencies.push(performance.now() - since);
    await sleep(PAUSE_MS);
  }
  return latencies;
}
