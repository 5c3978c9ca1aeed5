import { networkInterfaces } from 'node:os';
import { connectRedis } from '@sluice/redis/connection/redis-connection';
import { redisRefusal } from '@sluice/redis/connection/redis-refusal';
import { pingRedis } from '@sluice/redis/connection/why-away';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { freePort } from '../support/free-port.ts';
import { type RedisServer, startRedis } from '../support/redis-server.ts';
import { recordingLogger } from '../support/silent-logger.ts';
import { until } from '../support/until.ts';

interface Refuser {
  readonly url: string;
  stop(): Promise<void>;
}

const stopping = (server: RedisServer, url: string): Refuser => ({ url, stop: () => server.stop() });

/** The reasons for which a real Redis refuses a connection. */
const REFUSERS: readonly { name: string; start: () => Promise<Refuser>; said: RegExp; advice: RegExp }[] = [
  {
    name: 'wants a password',
    start: async () => {
      const server = await startRedis({ args: ['--requirepass', 'right'] });
      return stopping(server, server.url);
    },
    said: /^NOAUTH /,
    advice: /put it into REDIS_URL/,
  },
  {
    name: 'wants another password',
    start: async () => {
      const server = await startRedis({ args: ['--requirepass', 'right'] });
      return stopping(server, `redis://:wrong@127.0.0.1:${server.port}`);
    },
    said: /^WRONGPASS /,
    advice: /correct REDIS_URL/,
  },
  {
    name: 'has no database with that number',
    start: async () => {
      const server = await startRedis({ args: ['--databases', '2'] });
      return stopping(server, `${server.url}/2`);
    },
    said: /^ERR DB index is out of range/,
    advice: /correct what stands behind the last \/ of REDIS_URL/,
  },
  {
    name: 'has no room for another connection',
    start: async () => {
      const server = await startRedis({ args: ['--maxclients', '1'] });
      const only = new Redis(server.url, { retryStrategy: () => 20 });
      only.on('error', () => undefined);
      await until(() => only.status === 'ready', { what: 'the only connection is there' });
      const stop = async () => {
        only.disconnect();
        await server.stop();
      };
      return { url: server.url, stop };
    },
    said: /^ERR max number of clients reached/,
    advice: /raise its maxclients/,
  },
  {
    name: 'wants a password, as each node of a Cluster does',
    start: async () => {
      const server = await startRedis({ args: [...(await asNode()), '--requirepass', 'right'] });
      return stopping(server, `redis+cluster://127.0.0.1:${server.port}`);
    },
    said: /^NOAUTH /,
    advice: /put it into REDIS_URL/,
  },
];

/** The default port of the bus is 10,000 higher, where Linux takes ports for outgoing connections. */
async function asNode(): Promise<string[]> {
  return ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())];
}

/** An address of this machine that Redis treats as remote, if there is one. */
const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('a refusal of Redis', () => {
  for (const { name, start, said, advice } of REFUSERS) {
    it(`is logged once, with a fix: Redis ${name}`, async () => {
      await expectLoggedOnce(await start(), said, advice);
    });
  }

  for (const { who, scheme, args } of [
    { who: '', scheme: 'redis', args: async () => [] },
    { who: ', as a node of a Cluster', scheme: 'redis+cluster', args: asNode },
  ]) {
    it(`is logged once, with a fix: Redis is in protected mode${who}`, async function () {
      // Protected mode refuses only remote addresses, and this machine has none.
      if (outside === undefined) return this.skip();
      const server = await startRedis({ args: ['--bind', '0.0.0.0', ...(await args())] });
      const refuser = stopping(server, `${scheme}://${outside}:${server.port}`);
      await expectLoggedOnce(refuser, /^DENIED /, /--protected-mode no/);
    });
  }

  it('is logged once for each reason after the connection was lost, and is the reason of the ping', async () => {
    const server = await startRedis();
    const admin = new Redis(server.url);
    const { logger, records } = recordingLogger();
    const redis = connectRedis({ url: server.url, name: 'test', role: 'request', logger });
    const reasons = () =>
      records.filter(({ event }) => event === 'redis.refuses').map(({ reason }) => reason);
    try {
      await until(() => redis.status === 'ready');
      await admin.config('SET', 'requirepass', 'new');
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await until(() => reasons().length > 0, { what: 'the refusal is in the log' });
      await new Promise((resolve) => redis.once('reconnecting', resolve));
      expect(reasons()).to.have.lengthOf(1);
      expect(reasons()[0]).to.match(/^NOAUTH /);
      const ping = await pingRedis(redis).catch(({ message }: Error) => message);
      expect(ping).to.match(/^NOAUTH /);
    } finally {
      for (const one of [redis, admin]) one.disconnect();
      await server.stop();
    }
  });

  it('is not reported for a Redis that is away or accepts the connection', async () => {
    const away = `redis://127.0.0.1:${await freePort()}`;
    expect(await redisRefusal(away, 'connect ECONNREFUSED')).to.equal(undefined);
    const server = await startRedis();
    try {
      expect(await redisRefusal(server.url, 'connection closed')).to.equal(undefined);
    } finally {
      await server.stop();
    }
  });
});

async function expectLoggedOnce(refuser: Refuser, said: RegExp, advice: RegExp): Promise<void> {
  const { logger, records } = recordingLogger();
  const redis = connectRedis({ url: refuser.url, name: 'test', role: 'request', logger });
  const logged = () => records.filter(({ event }) => event === 'redis.refuses');
  try {
    await until(() => logged().length > 0, { what: 'the refusal is in the log' });
    await new Promise((resolve) => redis.once('reconnecting', resolve));
    expect(logged()).to.have.lengthOf(1);
    expect(logged()[0]?.reason).to.match(said);
    expect(logged()[0]?.advice).to.match(advice);
  } finally {
    redis.disconnect();
    await refuser.stop();
  }
}
