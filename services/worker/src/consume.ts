import { type Consumer, createConsumer } from '@sluice/queue/consumer';
import type { Logger } from '@sluice/runtime/logger';
import type { Tracing } from '@sluice/runtime/tracing/tracing';
import { createApplyGroup } from './apply/apply-group.ts';
import type { WorkerConfig } from './config.ts';
import type { Observer } from './observe.ts';
import { createProcessActions } from './process-actions.ts';
import { createProcessRefusals } from './process-refusals.ts';
import type { Resources } from './resources.ts';
import type { Tell } from './tell.ts';
import { traceJobs } from './trace/trace-jobs.ts';
import { traceStore } from './trace/trace-store.ts';
import { createRaceBackoff } from './wait/backoff.ts';
import { patientEvents, patientLog } from './wait/patient-store.ts';
import type { WaitOut } from './wait/wait-out.ts';

export interface ConsumeDeps {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly observer: Observer;
  readonly waitOut: WaitOut;
  readonly tell: Pick<Tell, 'listening'>;
  /** Undefined where nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

const DAY_MS = 86_400_000;

/** Writing rows is one round trip a group; two at a time leave the machine to the actions. */
const REFUSALS_CONCURRENCY = 2;

/** Starts to take groups from both queues. */
export function consume({
  config,
  logger,
  resources,
  observer,
  waitOut,
  tell,
  tracing,
}: ConsumeDeps): Consumer[] {
  const { deadLetters, keyspace, connect } = resources;
  const store = traceStore(resources.store, tracing);
  const now = Date.now;
  const log = tell.listening(patientLog(store.deliveries, waitOut));
  const applyGroup = createApplyGroup({
    events: patientEvents(store.events, waitOut),
    backoff: createRaceBackoff(),
    now,
    tombstoneMs: config.TOMBSTONE_DAYS * DAY_MS,
  });
  const processActions = createProcessActions({ applyGroup, deadLetters, log, observer, now });
  const processRefusals = createProcessRefusals({ deadLetters, log, observer, now });
  const shared = { prefix: keyspace.prefix, connect, logger };
  return [
    createConsumer({
      ...shared,
      queue: 'actions',
      concurrency: config.WORKER_CONCURRENCY,
      handle: traceJobs(processActions, tracing),
    }),
    createConsumer({
      ...shared,
      queue: 'refusals',
      concurrency: REFUSALS_CONCURRENCY,
      handle: processRefusals,
    }),
  ];
}
