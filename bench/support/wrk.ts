import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

export interface WrkSettings {
  readonly url: string;
  /** A file of complete HTTP requests, each after its length (requests-file.ts). */
  readonly requests: string;
  readonly seconds: number;
  readonly connections: number;
  /** Offset in the file, so that two runs against the same server share no request. */
  readonly from?: number;
}

export interface WrkResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of responses, and how many of them were not 200. */
  readonly requests: number;
  readonly not200: number;
}

/** One run of wrk with one thread, as in the published figures of others. */
export async function wrk({
  url,
  requests,
  seconds,
  connections,
  from = 0,
}: WrkSettings): Promise<WrkResult> {
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '5s',
    '-s',
    SCRIPT,
    url,
    '--',
    requests,
    String(from),
  ];
  const { stdout } = await run('wrk', args, { maxBuffer: 10_000_000 });
  const result = readResult(stdout);
  return { ...result, requestsPerSecond: result.requests / result.seconds };
}

export interface WrkAllSettings extends Omit<WrkSettings, 'seconds' | 'from'> {
  /** The number of requests to send from the start of the file, each once. */
  readonly count: number;
}

/** Longer than any measurement. */
const LONGEST_SECONDS = 600;

/** Requests that are all written. The last response of each connection is not read. */
export interface WrkSent {
  /** Time when the last request was written. */
  readonly sentAt: number;
  /** Closes the connections. Throws if a response was an error. */
  finish(): Promise<void>;
}

/**
 * Sends an exact number of requests as fast as the server responds. wrk does not wait for the last response of each
 * connection, so the caller counts what arrives. A server may abort a request whose connection is closed.
 */
export async function wrkSend({ url, requests, connections, count }: WrkAllSettings): Promise<WrkSent> {
  const args = ['-t1', `-c${connections}`, `-d${LONGEST_SECONDS}s`, '--timeout', '5s', '-s', SCRIPT, url];
  const wrk = spawn('wrk', [...args, '--', requests, '0', String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(wrk, 'exit');
  const printed = text(wrk.stdout);
  const sent = new Promise<number>((resolve) => {
    wrk.stdout.on('data', (chunk: Buffer) => chunk.includes('SENT') && resolve(performance.now()));
  });
  const sentAt = await Promise.race([sent, ended.then(() => undefined)]);
  const finish = async () => {
    // wrk sleeps until its time is over, and prints its counts when it is woken.
    wrk.kill('SIGINT');
    await ended;
    const { not200 } = readResult(await printed);
    if (not200 > 0) throw new Error(`${not200} of ${count} answers were errors`);
  };
  if (sentAt !== undefined) return { sentAt, finish };
  await finish();
  throw new Error(`wrk ended before it had sent all ${count} requests`);
}

function readResult(stdout: string) {
  const line = stdout.split('\n').find((one) => one.startsWith('RESULT '));
  if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  const result = JSON.parse(line.slice('RESULT '.length)) as Record<string, number>;
  const errors = (result.connect ?? 0) + (result.read ?? 0) + (result.write ?? 0) + (result.timeout ?? 0);
  if (errors > 0) throw new Error(`wrk had ${errors} broken requests: ${line}`);
  return {
    seconds: (result.duration_us as number) / 1e6,
    p50Ms: (result.p50_us as number) / 1000,
    p99Ms: (result.p99_us as number) / 1000,
    requests: result.requests as number,
    not200: result.not200 as number,
  };
}
