import { performance } from 'node:perf_hooks';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import { type ActionBody, PAUSE_MS, randomActions, type Sent, sendAll } from '../../support/load.ts';
import { expectAllAccepted, type Logged } from '../../support/machine-late.ts';
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

/** How a process ended after SIGTERM. */
export interface GracefulStop {
  readonly ms: number;
  readonly code: unknown;
  /** The last lines of its log. */
  readonly said: string;
}

/** Ends a process as an operator does. */
export async function stopGracefully(service: ServiceProcess): Promise<GracefulStop> {
  const startedAt = performance.now();
  await service.kill('SIGTERM');
  const ms = Math.round(performance.now() - startedAt);
  return { ms, code: service.ended(), said: JSON.stringify(service.log.slice(-8), null, 1) };
}

/** The outcome of a load. */
export interface Fared {
  readonly sent: readonly Sent[];
  readonly rows: readonly Delivery[];
  /** The outcome of each request: its status, or a broken connection. */
  readonly statuses: readonly (number | 'broken')[];
  /** Answered 200, and missing from the delivery log. */
  readonly lost: number;
}

/** Waits until the accepted requests are logged. Asserts nothing: it is for the report. */
export async function faredOf(pipeline: Pipeline, source: TestSource, sent: readonly Sent[]): Promise<Fared> {
  const accepted = sent.flatMap(({ answer }) => (answer?.status === 200 ? [answer.body.delivery_id] : []));
  // Fewer rows mean a loss. The report must show that before the test fails.
  const rows = await pipeline
    .logged(source, accepted.length, 60_000)
    .catch(() => pipeline.deliveries(source));
  const logged = new Set(rows.map(({ delivery_id }) => delivery_id));
  const statuses = sent.map(({ answer }) => answer?.status ?? 'broken');
  return { sent, rows, statuses, lost: accepted.filter((id) => !logged.has(id)).length };
}

/** For the report: how many requests were not answered 200. */
export function failedInWords(statuses: readonly (number | 'broken')[]): string {
  return `${statuses.filter((status) => status !== 200).length} failed`;
}

/** Checks that every request was answered 200, logged once, and applied. */
export async function expectNothingLost(
  pipeline: Pipeline,
  source: TestSource,
  { sent, rows, statuses }: Fared,
  services: readonly Logged[],
): Promise<void> {
  expectAllAccepted(statuses, services);
  expect(expectEachLoggedOnce(rows, sent)).to.equal(sent.length);
  expectSerial(await pipeline.events(source), rows, sent);
}

/** The longest stop, and the exit codes, for the report. */
export function stopsInWords(stops: readonly GracefulStop[]): string {
  const codes = new Set(stops.map(({ code }) => code));
  return `longest stop ${longestOf(stops)} ms, exit codes ${[...codes].join(', ')}`;
}

/** The time of the longest stop. Milliseconds. */
export function longestOf(stops: readonly GracefulStop[]): number {
  return Math.max(...stops.map(({ ms }) => ms));
}
