import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkGivenRedis } from '../../tools/launcher/src/given-redis.ts';
import { provideRedisBinary } from '../../tools/launcher/src/redis-binary.ts';
import { useFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startRedis } from '../support/redis-server.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe('npm start finds Redis', () => {
  const bin = useFolder();
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const put = (name: string) => {
    writeFileSync(join(bin(), name), '#!/bin/sh\n');
    chmodSync(join(bin(), name), 0o755);
  };
  beforeEach(() => {
    said.length = 0;
  });

  it('as redis-server or valkey-server on PATH', async () => {
    put('valkey-server');
    const path = `/nowhere:${bin()}`;
    expect(await provideRedisBinary({ say, path, install: undefined })).to.deep.equal({
      ok: true,
      path: join(bin(), 'valkey-server'),
    });
    put('redis-server');
    expect(await provideRedisBinary({ say, path })).to.deep.equal({
      ok: true,
      path: join(bin(), 'redis-server'),
    });
  });

  it('by installing it if it can, and reports that', async () => {
    const install = async () => {
      put('redis-server');
      return true;
    };
    expect((await provideRedisBinary({ say, path: bin(), install })).ok).to.equal(true);
    expect(said[0]).to.include('installing redis-server with apt-get');
  });

  it('if its own installation failed and a concurrent run has installed it', async () => {
    const install = async () => {
      put('redis-server');
      return false;
    };
    expect((await provideRedisBinary({ say, path: bin(), install })).ok).to.equal(true);
  });

  it('or names three ways to provide one', async () => {
    const result = await provideRedisBinary({ say, path: bin(), install: async () => false });
    expect(!result.ok && result.detail).to.match(
      /1\. install redis-server.*2\. set REDIS_URL.*3\. run this as root/s,
    );
  });
});

describe('a Redis given by REDIS_URL', () => {
  it('is accepted if it evicts nothing', async () => {
    const server = await startRedis({ aof: true });
    expect(await checkGivenRedis({ url: server.url, logger: silentLogger() })).to.deep.equal({ ok: true });
    await server.stop();
  });

  it('is reported as not answering, with its address, if no server is there', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const result = await checkGivenRedis({ url, logger: silentLogger(), answerMs: 300 });
    expect(!result.ok && result.detail).to.equal(
      `Redis at ${url} (REDIS_URL) does not answer: nothing within 0.3 seconds. Start it, or unset REDIS_URL so that npm start starts one.`,
    );
  });

  it('is rejected if it requires another password or may evict accepted actions, with a remedy and without its password', async () => {
    const server = await startRedis({
      args: ['--requirepass', 'hunter2', '--maxmemory-policy', 'allkeys-lru'],
    });
    const detailOf = async (url: string) => {
      const result = await checkGivenRedis({ url, logger: silentLogger() });
      return !result.ok && result.detail;
    };
    expect(await detailOf(server.url)).to.match(/refuses the connection \(NOAUTH .*put it into REDIS_URL/);
    expect(await detailOf(server.url.replace('//', '//:hunter2@')))
      .to.include(`redis-cli -u '${server.url}' config set maxmemory-policy noeviction`)
      .and.not.to.include('hunter2');
    await server.stop();
  });
});
