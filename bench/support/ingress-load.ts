import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { cpuSecondsLike, untilAtRest } from './at-rest.ts';
import type { OutboundPart } from './outbound-parts.ts';
import type { Peer } from './peer-options.ts';
import { presign } from './presign.ts';
import { SECRET } from './sources.ts';
import { onStage } from './stage.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { type WrkResult, wrk } from './wrk.ts';

/** The requests of one run, after a warm-up with others. */
export interface IngressLoad {
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Number of signed requests; none is sent twice. */
  readonly requests: number;
}

/** The result of one run. Its CPU times are those of one request, in microseconds. */
export interface IngressRun extends WrkResult {
  readonly cpuUs: number;
  readonly redisCpuUs: number;
}

/** Sends what a file of signed requests contains. `cpuSeconds`: what the program and its Redis have used so far. */
export async function measureLoad(
  {
    url,
    file,
    connections,
    warmUpSeconds,
    seconds,
  }: IngressLoad & { readonly url: string; readonly file: string },
  cpuSeconds: () => Promise<readonly [program: number, redis: number]>,
): Promise<IngressRun> {
  const load = { url, requests: file, connections };
  const warm = await wrk({ ...load, seconds: warmUpSeconds });
  const before = await cpuSeconds();
  const result = await wrk({ ...load, seconds, from: warm.requests + connections });
  const after = await cpuSeconds();
  const wrong = warm.not200 + result.not200;
  if (wrong > 0) throw new Error(`${url}: ${wrong} answers were not 200`);
  const perRequest = (from: number, to: number) => ((to - from) * 1e6) / result.requests;
  return {
    ...result,
    cpuUs: perRequest(before[0], after[0]),
    redisCpuUs: perRequest(before[1], after[1]),
  };
}

/** Its place in the headers of a request to a peer. */
const SIGNATURE = 'SIGNATURE';

/**
 * Another program that verifies and accepts requests, at the URL of its endpoint. Its source knows the secret of the bench.
 * SIGNATURE in a header becomes the HMAC-SHA256 of the body in hex. All its processes but Redis count as the program. Resolves once they
 * are at rest, because what was accepted may wait for its delivery.
 */
export function measureIngressPeer(peer: Peer, load: IngressLoad): Promise<IngressRun> {
  return onStage(async (keep) => {
    const { path } = await keep(temporaryFolder());
    const file = join(path, 'requests');
    const { origin, pathname, search } = new URL(peer.url);
    await presign({
      file,
      count: load.requests,
      targets: [{ path: `${pathname}${search}`, secret: SECRET }],
      headersOf: ({ secret, body }) => {
        const signature = createHmac('sha256', secret).update(body).digest('hex');
        const headers = Object.entries(peer.headers);
        return Object.fromEntries(
          headers.map(([name, value]) => [name, value.replace(SIGNATURE, signature)]),
        );
      },
    });
    const parts = Object.entries(peer.processes) as [OutboundPart, RegExp][];
    const sum = (isPart: (part: OutboundPart) => boolean) =>
      cpuSecondsLike(parts.filter(([part]) => isPart(part)).map(([, pattern]) => pattern));
    const run = await measureLoad({ ...load, url: origin, file }, async () => [
      await sum((part) => part !== 'redis'),
      await sum((part) => part === 'redis'),
    ]);
    await untilAtRest(Object.values(peer.processes));
    return run;
  });
}
