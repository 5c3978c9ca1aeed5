import { createShards } from '@sluice/redis/shards/shards';
import { createMetrics } from '@sluice/runtime/telemetry/metrics';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createSettingsWatch } from '../../services/ingress/src/gate/redis-settings.ts';
import { startRedis } from '../support/redis-server.ts';

describe('ingress: a Redis that may lose accepted actions', () => {
  /** The warnings about a Redis with these settings, after two checks. */
  async function saidOf(args: readonly string[]): Promise<{ setting: unknown; text: string }[]> {
    const server = await startRedis({ aof: true, args });
    const redis = new Redis(server.url);
    const said: { setting: unknown; text: string }[] = [];
    const warn = (fields: { setting?: unknown }, text: string) => {
      said.push({ setting: fields.setting, text });
    };
    const look = createSettingsWatch({
      redis,
      metrics: createMetrics({ service: 'ingress' }),
      shards: createShards('durability', 2),
      logger: { warn: warn as never },
    });
    await look();
    await look();
    redis.disconnect();
    await server.stop();
    return said;
  }

  const WHOLE = ['--auto-aof-rewrite-min-size', '512mb'];

  it('causes one warning for each setting, with the consequence and the correcting command', async () => {
    const said = await saidOf(['--appendfsync', 'everysec', '--auto-aof-rewrite-min-size', '64mb']);
    expect(said.map(({ setting }) => setting)).to.deep.equal(['appendfsync', 'auto-aof-rewrite-min-size']);
    expect(said[0]?.text)
      .to.contain('appendfsync everysec: the last seconds')
      .and.contain('redis-cli CONFIG SET appendfsync always');
    expect(said[1]?.text).to.contain('redis-cli CONFIG SET auto-aof-rewrite-min-size 512mb');
  });

  it('causes only one warning if it has no file', async () => {
    const said = await saidOf(['--appendonly', 'no']);
    expect(said.map(({ setting }) => setting)).to.deep.equal(['appendonly']);
    expect(said[0]?.text).to.contain('redis-cli CONFIG SET appendonly yes');
  });

  it('that begins to evict, or loses its file, while it runs is logged once, and reported until it is right', async () => {
    const server = await startRedis({ aof: true, args: WHOLE });
    const redis = new Redis(server.url);
    const metrics = createMetrics({ service: 'ingress' });
    const warned: unknown[] = [];
    const warn = ({ setting }: { setting?: unknown }) => void warned.push(setting);
    const shards = createShards('durability', 1);
    const look = createSettingsWatch({ redis, shards, metrics, logger: { warn: warn as never } });
    const wrong = async () => {
      await look();
      return [
        ...(await metrics.text()).matchAll(/^sluice_redis_setting_wrong\{setting="([^"]+)".*\} 1$/gm),
      ].map(([, setting]) => setting);
    };
    try {
      expect(await wrong()).to.deep.equal([]);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await redis.config('SET', 'appendonly', 'no');
      expect(await wrong()).to.deep.equal(['maxmemory-policy', 'appendonly']);
      await look();
      expect(warned).to.deep.equal(['maxmemory-policy', 'appendonly']);
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      await redis.config('SET', 'appendonly', 'yes');
      expect(await wrong()).to.deep.equal([]);
    } finally {
      redis.disconnect();
      await server.stop();
    }
  });

  it('causes no warning with safe or hidden settings', async () => {
    expect(await saidOf(WHOLE)).to.deep.equal([]);
    expect(await saidOf(['--rename-command', 'CONFIG', ''])).to.deep.equal([]);
  });
});
