import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

export interface WrkSettings {
  readonly url: string;
  /** A file of whole HTTP requests, each with its length before it (see presign.ts). */
  readonly requests: string;
  readonly seconds: number;
  readonly connections: number;
  /** Where in the file to begin, so that two runs against the same server share no request. */
  readonly from?: number;
}

export interface WrkResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How many requests were answered, and how many of them not with 200. */
  readonly requests: number;
  readonly not200: number;
}

/** One run of wrk with one thread, as in the published figures it is compared with. */
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
  const line = stdout.split('\n').find((one) => one.startsWith('RESULT '));
  if (line === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  const result = JSON.parse(line.slice('RESULT '.length)) as Record<string, number>;
  const errors = (result.connect ?? 0) + (result.read ?? 0) + (result.write ?? 0) + (result.timeout ?? 0);
  if (errors > 0) throw new Error(`wrk had ${errors} broken requests: ${line}`);
  return {
    requestsPerSecond: (result.requests as number) / ((result.duration_us as number) / 1e6),
    p50Ms: (result.p50_us as number) / 1000,
    p99Ms: (result.p99_us as number) / 1000,
    requests: result.requests as number,
    not200: result.not200 as number,
  };
}
