/**
 * A worker with a store that keeps nothing. It measures the cost of taking, reading, folding and finishing groups.
 * HANDLES is `sluice`, the worker's code, or `nothing`, BullMQ with a processor that returns at once.
 */

import { createConsumer } from '@sluice/queue/consumer';
import type { TakenJob } from '@sluice/queue/consumer-worker';
import { connectRedis } from '@sluice/runtime/redis/redis-connection';
import { createLogger } from '@sluice/runtime/telemetry/logger';
import { createRaceBackoff } from '@sluice/runtime/timing/delay';
import { createKeyspace } from '@sluice/shards/keyspace';
import type { EventWrite } from '@sluice/store/events/event-document';
import { Worker } from 'bullmq';
import { createApplyGroup } from '../../services/worker/src/apply/apply-group.ts';
import { createProcessActions, HELD_ACTIONS } from '../../services/worker/src/process-actions.ts';
import { actionsIn, unpackJobs } from '../../services/worker/src/take/unpack-jobs.ts';
import { SERVICE_ENV } from '../support/sources.ts';

/** The default of WORKER_CONCURRENCY. */
const CONCURRENCY = 32;
const TELL_EVERY_MS = 25;

const url = process.env.REDIS_URL as string;
const { prefix } = createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE);
const logger = createLogger({ service: 'noop-worker', level: 'warn' });
let applied = 0;

if (process.env.HANDLES === 'sluice') await takeAsSluice();
else await takeNothing();
setInterval(() => process.send?.({ applied }), TELL_EVERY_MS);
process.on('disconnect', () => process.exit());
process.send?.({ url: '' });

async function takeAsSluice(): Promise<void> {
  const events = {
    loadPortion: async () => ({ events: new Map(), unread: [] }),
    writeEvents: async (writes: readonly EventWrite[]) => writes.map(() => ({ status: 'written' }) as const),
  };
  const deadLetters = {
    add: async (id: string) => {
      throw new Error(`${id} failed`);
    },
    remove: async () => {},
  };
  const handle = createProcessActions({
    applyGroup: createApplyGroup({ events, backoff: createRaceBackoff(), now: Date.now, tombstoneMs: 0 }),
    deadLetters,
    retentionMs: 0,
    log: { insertDeliveries: async () => {}, replaceDelivery: async () => {} },
    observer: {
      applied: ({ outcomes }) => {
        applied += outcomes.length;
      },
      newer: () => {},
      waits: () => {},
      bug: (error) => {
        throw error;
      },
    },
    now: Date.now,
  });
  const connect = (name: string) => connectRedis({ url, name, role: 'worker', logger });
  const weighing = { weightOf: actionsIn, held: HELD_ACTIONS };
  const settings = {
    prefix,
    concurrency: CONCURRENCY,
    weighing,
    connect,
    handle: unpackJobs(handle),
    logger,
  };
  await createConsumer({ queue: 'actions', ...settings }).ready;
}

async function takeNothing(): Promise<void> {
  const { hostname, port } = new URL(url);
  const connection = { host: hostname, port: Number(port), maxRetriesPerRequest: null };
  const count = async ({ data }: { readonly data: TakenJob['data'] }) => {
    applied += (data as { readonly actions: readonly unknown[] }).actions.length;
  };
  await new Worker('actions', count, { connection, prefix, concurrency: CONCURRENCY }).waitUntilReady();
}
