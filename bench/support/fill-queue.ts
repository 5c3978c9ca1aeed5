import { type EnqueuedAction, GROUP_VERSION } from '@sluice/contract/groups';
import { createProducer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/shards/keyspace';
import { Redis } from 'ioredis';
import { ACCOUNT, SERVICE_ENV } from './sources.ts';
import { storedBody } from './stored-events.ts';

export interface Filling {
  readonly redisUrl: string;
  readonly sourceId: string;
  readonly actions: number;
  /** Actions in a group, which is a job. */
  readonly group: number;
  /** Upserts use random event numbers below this one. */
  readonly events: number;
}

/** Groups that are sent to Redis concurrently. */
const BATCH = 64;
let sequence = Date.now() * 1000;

/** Enqueues groups of upserts of random events in the same shape as an ingress: the body contains the action. */
export async function fillQueue({ redisUrl, sourceId, actions, group, events }: Filling): Promise<void> {
  const redis = new Redis(redisUrl);
  const producer = createProducer({ redis, prefix: createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE).prefix });
  await redis.ping();
  for (let left = actions; left > 0; ) {
    const jobs: Promise<void>[] = [];
    for (let i = 0; i < BATCH && left > 0; i++, left -= group) {
      const sequences = Array.from({ length: Math.min(group, left) }, () => ++sequence);
      const members = sequences.map((own) => enqueued(sourceId, own, Math.floor(Math.random() * events)));
      const group_id = `grp_bench${sequences[0]}`;
      jobs.push(
        producer.enqueueActions({ v: GROUP_VERSION, group_id, sequences, repeated: [], actions: members }),
      );
    }
    await Promise.all(jobs);
  }
  await producer.close();
  redis.disconnect();
}

function enqueued(source_id: string, sequence: number, event: number): EnqueuedAction {
  const body = storedBody(event, sequence);
  return {
    request_id: `req_bench${sequence}`,
    source_id,
    account_id: ACCOUNT,
    received_at: Date.now(),
    request: {
      content_type: 'application/json',
      user_agent: '',
      timestamp: String(Math.floor(Date.now() / 1000)),
      signature_start: 'sha256=01234567',
      bytes: body.length,
      body,
    },
  };
}
