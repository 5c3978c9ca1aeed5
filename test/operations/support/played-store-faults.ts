import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { createShards } from '@sluice/redis/shards/shards';
import { newFolder } from '../../support/folder.ts';
import type { Refusal } from '../../support/refusing-mongo.ts';
import { startService } from '../../support/service-process.ts';
import { until } from '../../support/until.ts';
import type { PlayedFault } from './played-fault.ts';
import type { PlayedStack } from './played-stack.ts';

const VISIT_EVERY_MS = 200;

/** Faults of Redis and MongoDB that lose nothing. */
export const STORE_FAULTS: readonly PlayedFault[] = [
  {
    done: "Redis's password is changed, and its connections are cut",
    alerts: ['SluiceGateClosed'],
    within: 60,
    ends: true,
    async play({ admin }) {
      await admin.config('SET', 'requirepass', 'changed');
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      return async () => {
        await admin.config('SET', 'requirepass', '');
      };
    },
  },
  {
    done: 'Redis begins to evict: `maxmemory-policy allkeys-lru`',
    alerts: ['SluiceRedisSettingWrong'],
    within: 150,
    async play({ admin }) {
      await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
      return () => admin.config('SET', 'maxmemory-policy', 'noeviction');
    },
  },
  {
    done: 'Redis responds 0.8 s later',
    alerts: ['SluiceBudgetBurnsFast'],
    within: 150,
    async play(stack) {
      stack.slowRedis(true);
      return () => stack.slowRedis(false);
    },
  },
  {
    done: 'Redis is nearly full',
    alerts: ['SluiceRedisMemory'],
    within: 60,
    ends: true,
    async play({ admin }) {
      const used = Number(/^used_memory:(\d+)/m.exec(await admin.info('memory'))?.[1]);
      await admin.config('SET', 'maxmemory', String(Math.round(used * 1.6)));
      return () => admin.config('SET', 'maxmemory', '0');
    },
  },
  {
    done: 'Redis is frozen, with a dead letter and a failed job',
    alerts: ['SluiceDeadLetters', 'SluiceJobsFailed', 'SluiceGateClosed', 'SluiceApiErrors'],
    within: 120,
    async play(stack, _more, prometheus) {
      const { pipeline, redis, admin } = stack;
      const { prefix } = createShards(pipeline.namespace, 1).first;
      await admin.rpush(`${prefix}:dead-letters:wait`, '1');
      await admin.zadd(`${prefix}:actions:failed`, 1, '1');
      const counted = 'bullmq_job_count{queue="dead-letters", state="waiting"} > 0';
      await until(async () => (await prometheus.query(counted)).length > 0, { what: 'it is counted' });
      redis.freeze();
      const visits = setInterval(() => void visit(stack), VISIT_EVERY_MS);
      return async () => {
        clearInterval(visits);
        redis.thaw();
        await admin.del(`${prefix}:dead-letters:wait`, `${prefix}:actions:failed`);
      };
    },
  },
  refusedWrites('MongoDB is read-only', {
    code: 10107,
    codeName: 'NotWritablePrimary',
    errmsg: 'not primary',
  }),
  refusedWrites('the disk of MongoDB is full', {
    code: 14031,
    codeName: 'OutOfDiskSpace',
    errmsg: 'available disk space is less than required minimum',
  }),
  refusedWrites("the role of MongoDB's user is lost", {
    code: 13,
    codeName: 'Unauthorized',
    errmsg: 'not authorized on sluice to execute command',
  }),
  {
    done: 'MongoDB ends, and an ingress has a low limit of its backlog',
    alerts: ['SluiceBacklogNearLimit', 'SluiceMongoAway'],
    within: 90,
    ends: true,
    more: async ({ pipeline }) => [startService('ingress', { ...pipeline.env, BACKLOG_LIMIT: '20' })],
    async play({ pipeline }) {
      await pipeline.mongo?.kill();
      return () => pipeline.mongo?.restart();
    },
  },
  {
    done: 'MongoDB ends, and no request arrives meanwhile',
    alerts: ['SluiceMongoAway', 'SluiceApiNotReady', 'SluiceDispatchersNotReady'],
    within: 90,
    async play(stack) {
      stack.traffic(false);
      await stack.pipeline.mongo?.kill();
      return async () => {
        await stack.pipeline.mongo?.restart();
        stack.traffic(true);
      };
    },
  },
];

/** Redis loses what it had confirmed. So these come last. */
export const LOSSES: readonly PlayedFault[] = [
  {
    done: 'Redis comes back with its data of some seconds ago, as a replica that is behind',
    alerts: ['SluiceRedisLostGroups'],
    within: 60,
    play: async (stack, _more, prometheus) => {
      const folder = newFolder();
      const data = join(stack.redis.dir, 'appendonlydir');
      cpSync(data, folder, { recursive: true });
      const confirmed = async () =>
        (await prometheus.query('sum(webhook_requests_total{status="200"})'))[0] ?? 0;
      const before = await confirmed();
      await until(async () => (await confirmed()) > before + 30, { what: 'Redis has confirmed more' });
      await stack.redis.kill();
      rmSync(data, { recursive: true });
      cpSync(folder, data, { recursive: true });
      await stack.redis.restart();
      return () => undefined;
    },
  },
  {
    done: 'Redis comes back empty',
    alerts: ['SluiceRedisLostGroups'],
    within: 60,
    async play({ redis }) {
      await redis.kill();
      rmSync(join(redis.dir, 'appendonlydir'), { recursive: true });
      await redis.restart();
      return () => undefined;
    },
  },
];

function refusedWrites(done: string, refusal: Refusal): PlayedFault {
  return {
    done,
    alerts: ['SluiceMongoAway'],
    within: 60,
    ends: true,
    async play({ mongoLink }) {
      mongoLink.refuse(refusal);
      return () => mongoLink.refuse(undefined);
    },
  };
}

/** A sign-in, which the API server rejects without Redis. */
async function visit({ services }: PlayedStack): Promise<void> {
  const apiUrl = String((await services.api.logged('api.listening')).url);
  await fetch(`${apiUrl}${DASHBOARD_API}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: apiUrl },
    body: JSON.stringify({ email: 'nobody@example.com', password: 'wrong password' }),
  }).catch(() => undefined);
}
