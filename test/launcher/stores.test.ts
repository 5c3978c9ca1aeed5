import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { claimDataDir } from '../../tools/launcher/src/launch.ts';
import { onPath } from '../../tools/launcher/src/redis-binary.ts';
import { redisSpec } from '../../tools/launcher/src/redis-store.ts';
import { createStoreProcess } from '../../tools/launcher/src/store-process.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { rejection } from '../support/rejection.ts';
import { runScript } from '../support/run-script.ts';
import { silentLogger } from '../support/silent-logger.ts';

describe('a store that npm start runs', () => {
  let dataDir: string;
  let binary: string;
  const said: string[] = [];
  const undo: (() => Promise<void>)[] = [];

  before(async () => {
    binary = (await onPath(['redis-server', 'valkey-server'], process.env.PATH ?? '')) ?? 'redis-server';
  });
  beforeEach(() => {
    dataDir = newFolder();
    said.length = 0;
  });
  afterEach(async () => {
    for (const stop of undo.splice(0)) await stop();
  });

  const create = async (folder = dataDir) => {
    const spec = redisSpec({ binary, port: await freePort(), dataDir: folder, logger: silentLogger() });
    const store = createStoreProcess({ spec, dataDir: folder, say: (line) => said.push(line) });
    undo.push(store.stop);
    return store;
  };
  const client = (url: string) => {
    const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
    redis.on('error', () => {});
    undo.unshift(async () => redis.disconnect());
    return redis;
  };
  const pid = () => (JSON.parse(readFileSync(join(dataDir, 'redis.pid'), 'utf8')) as { pid: number }).pid;

  it('keeps every write on disk and never evicts', async () => {
    const store = await create();
    await store.start();
    const config = await client(store.url).config('GET', 'append*', '*aof-rewrite-min-size', 'maxmemory*');
    const settings = new Map(
      (config as string[]).flatMap((name, at, all) => (at % 2 ? [] : [[name, all[at + 1]]])),
    );
    expect(settings.get('appendonly')).to.equal('yes');
    expect(settings.get('appendfsync')).to.equal('always');
    expect(Number(settings.get('auto-aof-rewrite-min-size'))).to.equal(512 * 1024 ** 2);
    expect(settings.get('maxmemory-policy')).to.equal('noeviction');
    expect(Number(settings.get('maxmemory'))).to.be.above(0);
  });

  it('leaves no process and no process file after a stop', async () => {
    const store = await create();
    await store.start();
    const running = pid();
    await store.stop();
    expect(() => process.kill(running, 0)).to.throw('ESRCH');
    expect(existsSync(join(dataDir, 'redis.pid'))).to.equal(false);
  });

  it('is stopped before the next start uses its data, if a killed npm start left it running', async () => {
    const first = await create();
    await first.start();
    await client(first.url).set('kept', 'yes');
    const second = await create();
    await second.start();
    expect(said).to.include('stopping the redis that a killed npm start left behind');
    expect(await client(second.url).get('kept')).to.equal('yes');
  });

  it('is left alone by the start of a copy of its folder', async () => {
    const original = await create();
    await original.start();
    await client(original.url).set('in the copy', 'yes');
    const copy = `${dataDir}-copy`;
    cpSync(dataDir, copy, { recursive: true });
    const started = await create(copy);
    await started.start();
    expect(said).to.deep.equal([]);
    await client(started.url).set('in the copy', 'changed');
    expect(await client(original.url).get('in the copy')).to.equal('yes');
  });

  it('fails the start at once if it ends while starting, and the error names its log', async () => {
    const spec = redisSpec({ binary, port: await freePort(), dataDir, logger: silentLogger() });
    const broken = { ...spec, args: ['--no-such-option', 'x'] };
    const store = createStoreProcess({ spec: broken, dataDir, say: () => {} });
    undo.push(store.stop);
    const error = await rejection(store.start());
    expect(error.message).to.equal(`redis ended while starting; see ${join(dataDir, 'logs', 'redis.log')}`);
    await store.stop();
    expect(readdirSync(dataDir)).to.not.include('redis.pid');
  });
});

describe('DATA_DIR', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(newFolder(), 'data');
  });

  const claimant = () => `
    import { claimDataDir } from ${JSON.stringify(new URL('../../tools/launcher/src/launch.ts', import.meta.url).href)};
    await claimDataDir(${JSON.stringify(dataDir)});
    setInterval(() => {}, 1000);
    console.log('claimed');
  `;

  it('is for one npm start at a time', async () => {
    const other = runScript(claimant());
    await other.line(/^claimed$/);
    const error = await rejection(claimDataDir(dataDir));
    expect(error.message).to.include(`npm start already runs on ${dataDir} (process ${other.child.pid})`);
    other.child.kill('SIGKILL');
    await other.ended;
    const release = await claimDataDir(dataDir);
    await release();
  });

  it('can be claimed if the process id of a killed one is in use again', async () => {
    await (await claimDataDir(dataDir))();
    const stranger = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
    writeFileSync(
      join(dataDir, 'launcher.lock'),
      JSON.stringify({ pid: stranger.pid, started: 'another time' }),
    );
    const release = await claimDataDir(dataDir);
    await release();
    stranger.kill('SIGKILL');
    await once(stranger, 'exit');
  });
});
