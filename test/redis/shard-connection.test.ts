import { once } from 'node:events';
import { createKeyspace } from '@sluice/redis/keyspace';
import { hashSlot, shardConnection } from '@sluice/redis/shards/shard-connection';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { useRedis } from '../support/redis-server.ts';

const keyspace = createKeyspace('connection');

/** A Cluster client that knows one server, with the options that ioredis gives to its connections. */
function clusterOf(url: string) {
  const connection = new Redis(url, { lazyConnect: true, enableOfflineQueue: true, retryStrategy: null });
  const slots: string[][] = [];
  slots[hashSlot(keyspace.tag)] = [`${connection.options.host}:${connection.options.port}`];
  const cluster = { isCluster: true, status: 'ready', slots, nodes: () => [connection] };
  return { connection, cluster: cluster as unknown as Redis };
}

describe('the connection to the server of a shard', () => {
  const server = useRedis();

  it('is used before its first command and during its handshake, but not while it connects or after its end', async () => {
    const { connection, cluster } = clusterOf(server.url);
    const current = shardConnection(cluster, keyspace);
    expect(current(), 'wait').to.equal(connection);
    const connected = once(connection, 'connect');
    const ready = connection.connect();
    expect(connection.status).to.equal('connecting');
    expect(current()).to.equal(undefined);
    await connected;
    expect(connection.status).to.equal('connect');
    expect(current()).to.equal(connection);
    expect(await current()?.ping()).to.equal('PONG');
    await ready;
    expect(current(), 'ready').to.equal(connection);
    const ended = once(connection, 'end');
    connection.disconnect();
    await ended;
    expect(current()).to.equal(undefined);
  });
});
