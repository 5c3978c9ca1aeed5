import { createKeyspace } from '@sluice/admission/keyspace';
import { admittedDeliveryId } from '@sluice/contract/delivery-id';
import { type AdmittedAction, GROUP_VERSION } from '@sluice/contract/groups';
import { createProducer } from '@sluice/queue/producer';
import { Redis } from 'ioredis';
import { ACCOUNT, SERVICE_ENV } from './sources.ts';
import { storedContent, storedIdentity } from './stored-events.ts';

export interface Filling {
  readonly redisUrl: string;
  readonly sourceId: string;
  readonly actions: number;
  /** Actions a group, that is a job. */
  readonly group: number;
  /** Upserts are about events below this number, at random. */
  readonly events: number;
}

/** Groups under way to Redis at a time. */
const BATCH = 64;
let sequence = Date.now() * 1000;

/** Enqueues groups of upserts of random events, as an ingress does. */
export async function fillQueue({ redisUrl, sourceId, actions, group, events }: Filling): Promise<void> {
  const redis = new Redis(redisUrl);
  const producer = createProducer({ redis, prefix: createKeyspace(SERVICE_ENV.SLUICE_NAMESPACE).prefix });
  const action = () => admitted(sourceId, Math.floor(Math.random() * events));
  await redis.ping();
  for (let left = actions; left > 0; ) {
    const jobs: Promise<void>[] = [];
    for (let i = 0; i < BATCH && left > 0; i++, left -= group) {
      const members = Array.from({ length: Math.min(group, left) }, action);
      const group_id = `grp_bench${members[0]?.sequence}`;
      jobs.push(producer.enqueueActions({ v: GROUP_VERSION, group_id, actions: members }));
    }
    await Promise.all(jobs);
  }
  await producer.close();
  redis.disconnect();
}

function admitted(source_id: string, event: number): AdmittedAction {
  const own = ++sequence;
  const action = {
    kind: 'upsert',
    identity: storedIdentity(event),
    content: storedContent(own),
    status: 'upcoming',
  } as const;
  return {
    delivery_id: admittedDeliveryId(source_id, own),
    request_id: `req_bench${own}`,
    source_id,
    account_id: ACCOUNT,
    sequence: own,
    received_at: Date.now(),
    duplicate_of: null,
    action,
    request: {
      content_type: 'application/json',
      user_agent: '',
      timestamp: String(Math.floor(Date.now() / 1000)),
      signature_start: 'sha256=01234567',
      bytes: KEPT_BODY.length,
      body: KEPT_BODY,
    },
  };
}

/** As long as the bodies of the other figures. */
const KEPT_BODY = JSON.stringify({ action: 'upsert', event: { description: 'x'.repeat(353) } });
