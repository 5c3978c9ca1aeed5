import { createShards } from '@sluice/shards/shards';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { createWeaknessWarning } from '../../services/ingress/src/gate/redis-durability.ts';
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
    const look = createWeaknessWarning({
      redis,
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

  it('causes no warning with safe or hidden settings', async () => {
    expect(await saidOf(WHOLE)).to.deep.equal([]);
    expect(await saidOf(['--rename-command', 'CONFIG', ''])).to.deep.equal([]);
  });
});
