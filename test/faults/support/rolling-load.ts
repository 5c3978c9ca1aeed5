import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import { type ActionBody, PAUSE_MS, randomActions, type Sent, sendAll } from '../../support/load.ts';
import { expectAllTaken, type Logged } from '../../support/machine-late.ts';
import { expectEachLoggedOnce, expectSerial } from '../../support/oracle.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { LONG } from '../../support/size.ts';

const CONCURRENCY = LONG ? 8 : 4;
const MOST = 1_000_000;

/** Requests that are sent until `stop`, which resolves to all of them. */
export interface Load {
  stop(): Promise<Sent[]>;
}

export function sendUntilStopped(url: string, source: TestSource): Load {
  let stopped = false;
  function* bodies(): Generator<ActionBody> {
    for (const body of randomActions({ count: MOST, events: 200, seed: 7 })) {
      if (stopped) return;
      yield body;
    }
  }
  const sending = sendAll({
    urls: [url],
    source,
    bodies: bodies(),
    concurrency: CONCURRENCY,
    pauseMs: PAUSE_MS,
  });
  return {
    stop() {
      stopped = true;
      return sending;
    },
  };
}

/** Ends a process as an operator does; resolves to the milliseconds that it took. */
export async function stopGracefully(service: ServiceProcess): Promise<number> {
  const startedAt = performance.now();
  await service.kill('SIGTERM');
  expect(service.ended(), JSON.stringify(service.log.slice(-8), null, 1)).to.equal(0);
  return Math.round(performance.now() - startedAt);
}

/** Was every request answered 200, logged once, and applied? Returns how many there were. */
export async function expectNothingLost(
  pipeline: Pipeline,
  source: TestSource,
  sent: readonly Sent[],
  services: readonly Logged[],
): Promise<number> {
  expectAllTaken(
    sent.map(({ answer }) => answer?.status ?? 'broken'),
    services,
  );
  const rows = await pipeline.logged(source, sent.length, 60_000);
  expect(expectEachLoggedOnce(rows, sent)).to.equal(sent.length);
  expectSerial(await pipeline.events(source), rows, sent);
  return sent.length;
}
