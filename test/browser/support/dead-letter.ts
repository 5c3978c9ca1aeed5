import type { ActionGroup } from '@sluice/contract/delivery/groups';
import { createProducer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { Redis } from 'ioredis';
import type { TestSource } from './source.ts';
import type { Stack } from './stack.ts';

let letters = 0;

/**
 * Enqueues an upsert in a group of an unknown version, so that it becomes a dead letter. A retry sends it in a group of the
 * current version, which can be applied. Returns its delivery id.
 */
export async function addDeadLetter(stack: Stack, source: TestSource, title: string): Promise<string> {
  letters += 1;
  const delivery_id = `dlv_letter${letters}`;
  const now = Date.now();
  const action = {
    delivery_id,
    request_id: `req_letter${letters}`,
    source_id: source.id,
    account_id: stack.accountId,
    sequence: now * 1000 + letters,
    received_at: now,
    duplicate_of: null,
    action: {
      kind: 'upsert',
      identity: { title, starts_at: now + 86_400_000, location: '' },
      content: {},
      status: 'upcoming',
    },
  } as const;
  const redis = new Redis(stack.redisUrl);
  await redis.ping();
  const producer = createProducer({ redis, prefix: createKeyspace(stack.namespace).prefix });
  try {
    const group = { v: 0, group_id: `grp_letter${letters}`, actions: [action] };
    await producer.enqueueActions(group as unknown as ActionGroup);
  } finally {
    await producer.close();
    redis.disconnect();
  }
  return delivery_id;
}
