import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createSourceDirectory } from '@sluice/admission/source-directory';
import { createKeyspace } from '@sluice/redis/keyspace';
import { connectStore, type Store } from '@sluice/store/connect';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';

export const BIN = fileURLToPath(new URL('../../services/cli/bin/sluice.mjs', import.meta.url));

/** The result of a command. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every line of stdout as JSON. */
  readonly rows: readonly Record<string, unknown>[];
}

export interface RunSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** All that standard input has. */
  readonly stdin?: string | Uint8Array;
  /** Called with each text of standard error. */
  readonly onStderr?: (text: string) => void;
}

/** Runs `sluice` in this process, which takes milliseconds. It has no environment but `env`. */
export async function sluice(
  args: readonly string[],
  { env = {}, stdin = '', onStderr }: RunSettings = {},
): Promise<Run> {
  const written = { stdout: '', stderr: '' };
  const capture = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text;
      if (name === 'stderr') onStderr?.(text);
    },
  });
  const streams = {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: capture('stdout'),
    stderr: capture('stderr'),
  };
  // Node would load a module twice that is both required here and imported by a command.
  const { runCommand } = await import('../../services/cli/src/run-command.ts');
  const code = await runCommand(args, { env, streams, now: Date.now });
  return describeRun(code, written.stdout, written.stderr);
}

/**
 * Runs the compiled `sluice` in a separate process, for what only a process shows. It inherits only PATH. `unread`: its output is closed
 * and not read, like `| head -0`.
 */
export async function sluiceProcess(
  args: readonly string[],
  {
    env = {},
    stdin = '',
    unread = false,
  }: Omit<RunSettings, 'onStderr'> & { readonly unread?: boolean } = {},
): Promise<Run> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  // A command that doesn't read standard input may exit before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  if (unread) child.stdout.destroy();
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    unread ? Buffer.alloc(0) : buffer(child.stdout),
    buffer(child.stderr),
  ]);
  return describeRun(code as number | null, stdout.toString(), stderr.toString());
}

function describeRun(code: number | null, stdout: string, stderr: string): Run {
  return {
    code,
    stdout,
    stderr,
    // Parsed lazily, because not every run prints JSON.
    get rows() {
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    },
  };
}

/** Expects a command to have failed with this code, to have printed nothing, and to say this. Returns the check of its errors. */
export function expectFailure(done: Run, code: number, text: string): Chai.Assertion {
  expect(done, done.stderr).to.include({ code, stdout: '' });
  return expect(done.stderr).to.contain(text);
}

/** A separate installation for a describe block: its stores, and the commands that run against it. */
export function useInstallation() {
  const used = {} as {
    mongo: TestMongo;
    store: Store;
    redis: Redis;
    /** A source or channel as an ingress reads it in Redis. */
    published: (id: string) => ReturnType<ReturnType<typeof createSourceDirectory>['read']>;
    env: Record<string, string>;
    run: (args: string, settings?: RunSettings) => Promise<Run>;
    json: (args: string, settings?: RunSettings) => Promise<readonly Record<string, unknown>[]>;
  };
  before(async () => {
    used.mongo = await openTestMongo('cli');
    used.env = {
      REDIS_URL: sharedRedisUrl(),
      MONGO_URL: used.mongo.url,
      SLUICE_NAMESPACE: used.mongo.database,
      SLUICE_SECRET_KEY: randomBytes(32).toString('base64'),
      EVENTS_URL: 'https://events.example.com/',
      DATA_DIR: '/nonexistent',
    };
    used.store = connectStore({ url: used.mongo.url, namespace: used.mongo.database });
    await used.store.opened();
    used.redis = new Redis(sharedRedisUrl());
    const keyspace = createKeyspace(used.mongo.database);
    used.published = (id) => createSourceDirectory({ redis: used.redis, keyspace }).read(id);
    used.run = (args, settings) =>
      sluice(args.split(' '), { ...settings, env: { ...used.env, ...settings?.env } });
    used.json = async (args, settings) => {
      const done = await used.run(`${args} --json`, settings);
      if (done.code !== 0) throw new Error(`exit ${done.code}: ${done.stderr}`);
      return done.rows;
    };
  });
  after(async () => {
    used.redis?.disconnect();
    await used.store?.close();
    await used.mongo?.close();
  });
  return used;
}

/** The commands that switch a source or a channel, and whether it is active afterwards. */
export const SWITCHES = [
  ['deactivate', false],
  ['activate', true],
] as const;
