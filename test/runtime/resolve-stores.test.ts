import { copyFileSync, mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { resolveStores } from '@sluice/runtime/config/resolve-stores';
import { readOrMakeSecretKey, secretKeyPath } from '@sluice/runtime/config/secret-key';
import { stackPath, writeStack } from '@sluice/runtime/config/stack-file';
import { identify } from '@sluice/runtime/process-identity';
import { expect } from 'chai';
import { useFolder } from '../support/folder.ts';

const urls = {
  redis_url: 'redis://127.0.0.1:1',
  mongo_url: 'mongodb://127.0.0.1:2',
  events_url: 'http://localhost:3',
  api_url: 'http://localhost:4',
  namespace: 'mine',
  settings: {},
  started_at: '2026-11-21T00:00:00Z',
};

describe('resolving the stores for a tool', () => {
  const dir = useFolder();
  const self = async () => (await identify(process.pid)) ?? { pid: process.pid, started: '' };

  it('uses the stores of a running npm start with the same DATA_DIR', async () => {
    await writeStack(dir(), { ...urls, ...(await self()) });
    const key = await readOrMakeSecretKey(dir());
    const result = await resolveStores({ DATA_DIR: dir() });
    if (!result.ok) throw new Error(result.detail);
    expect(result.stores).to.deep.equal({
      redisUrl: urls.redis_url,
      mongoUrl: urls.mongo_url,
      namespace: 'mine',
      eventsUrl: urls.events_url,
      apiUrl: urls.api_url,
      secretKey: key,
      oldSecretKeys: [],
      settings: {},
    });
  });

  it('has the settings of a running npm start for its stores alone', async () => {
    const settings = { OUTBOUND_PRIVATE_NETWORKS: 'true' };
    await writeStack(dir(), { ...urls, ...(await self()), settings });
    const settingsFor = async (env: Record<string, string>) => {
      const result = await resolveStores({ DATA_DIR: dir(), ...env });
      return result.ok && result.stores.settings;
    };
    expect(await settingsFor({})).to.deep.equal(settings);
    expect(await settingsFor({ REDIS_URL: urls.redis_url })).to.deep.equal(settings);
    expect(await settingsFor({ REDIS_URL: 'redis://127.0.0.1:5' })).to.deep.equal({});
  });

  it('prefers the environment', async () => {
    await writeStack(dir(), { ...urls, ...(await self()) });
    const result = await resolveStores({
      DATA_DIR: dir(),
      REDIS_URL: 'redis://r',
      MONGO_URL: 'mongodb://m',
      EVENTS_URL: 'https://e',
    });
    if (!result.ok) throw new Error(result.detail);
    expect(result.stores).to.include({
      redisUrl: 'redis://r',
      mongoUrl: 'mongodb://m',
      eventsUrl: 'https://e',
    });
  });

  it('ignores the file of a killed npm start, even when another process has its process id', async () => {
    await writeStack(dir(), { ...urls, pid: process.pid, started: 'another time' });
    const result = await resolveStores({ DATA_DIR: dir() });
    expect(result.ok).to.equal(false);
    expect(!result.ok && result.retry).to.equal(true);
    expect(!result.ok && result.detail).to.include('Start it with npm start, or set REDIS_URL and MONGO_URL');
  });

  it('ignores the file in a copy of the folder of a running npm start', async () => {
    await writeStack(dir(), { ...urls, ...(await self()) });
    const copy = mkdtempSync(join(dir(), 'copy-'));
    copyFileSync(stackPath(dir()), stackPath(copy));
    const result = await resolveStores({ DATA_DIR: copy });
    expect(!result.ok && result.detail).to.include(`Sluice is not running with DATA_DIR ${copy}`);
  });

  it('fails when a variable is wrong', async () => {
    const result = await resolveStores({ DATA_DIR: dir(), REDIS_URL: 'localhost' });
    expect(!result.ok && !result.retry && result.detail).to.match(/^REDIS_URL: must be a URL/);
  });

  it('writes files that only their owner can read', async () => {
    await writeStack(dir(), { ...urls, ...(await self()) });
    const first = await readOrMakeSecretKey(dir());
    expect(await readOrMakeSecretKey(dir())).to.deep.equal(first);
    for (const path of [stackPath(dir()), secretKeyPath(dir())])
      expect(statSync(path).mode & 0o777).to.equal(0o600);
  });
});
