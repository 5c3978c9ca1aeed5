import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openTestMongo, type TestMongo } from '../support/mongo-server.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';

export const BIN = fileURLToPath(new URL('../../services/cli/bin/sluice.mjs', import.meta.url));

/** The result of a run of the real command. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Every line of stdout as JSON. */
  readonly rows: readonly Record<string, unknown>[];
}

export interface RunSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** Written to standard input, which is then closed. */
  readonly stdin?: string | Uint8Array;
  /** Closes the command's output without reading it, like `| head -0`. */
  readonly unread?: boolean;
  /** Called with each text of standard error. */
  readonly onStderr?: (text: string) => void;
}

/** Runs the real `sluice` in a separate process. It inherits only PATH from this process's environment. */
export async function sluice(
  args: readonly string[],
  { env = {}, stdin = '', unread = false, onStderr }: RunSettings = {},
): Promise<Run> {
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
  // A command that doesn't read standard input may exit before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  if (unread) child.stdout.destroy();
  child.stderr.on('data', (chunk: Buffer) => onStderr?.(chunk.toString()));
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'exit'),
    unread ? Buffer.alloc(0) : buffer(child.stdout),
    buffer(child.stderr),
  ]);
  const text = stdout.toString();
  const result = { code: code as number | null, stdout: text, stderr: stderr.toString() };
  // Parsed lazily, because not every run prints JSON.
  return Object.defineProperty(result, 'rows', {
    get: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  }) as unknown as Run;
}

/** A separate installation for a describe block, and the command that runs against it. */
export function useInstallation() {
  const used = {} as {
    mongo: TestMongo;
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
    used.run = (args, settings) =>
      sluice(args.split(' '), { ...settings, env: { ...used.env, ...settings?.env } });
    used.json = async (args, settings) => {
      const done = await used.run(`${args} --json`, settings);
      if (done.code !== 0) throw new Error(`exit ${done.code}: ${done.stderr}`);
      return done.rows;
    };
  });
  after(() => used.mongo.close());
  return used;
}
