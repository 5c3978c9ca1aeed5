import { setTimeout as sleep } from 'node:timers/promises';
import { OUTBOUND_PARTS } from './outbound-parts.ts';
import { type OutboundPipeline, writePublishes } from './outbound-pipeline.ts';
import { MESSAGE, type Peer } from './peer-options.ts';
import { cpuSecondsOf } from './processes.ts';
import { sumOfProcessesLike } from './processes-like.ts';
import { startBenchReceiver } from './receiver.ts';
import type { Keep } from './stage.ts';

/** A peer is at rest once all its processes together use less than this share of a core. */
const AT_REST = 0.1;
const LOOK_MS = 1_000;
const REST_WITHIN_MS = 120_000;

/** A peer as a pipeline, with a new receiver at its endpoint. */
export async function usePeer(keep: Keep, peer: Peer): Promise<OutboundPipeline> {
  const { url, headers, receiverPort, idHeader, processes } = peer;
  const receiver = await keep(startBenchReceiver({ port: receiverPort, idHeader }));
  const { origin, pathname, search } = new URL(url);
  const patterns = Object.values(processes);
  const cpuSeconds = async (of: readonly RegExp[]) => {
    const sums = await Promise.all(of.map((pattern) => sumOfProcessesLike(pattern, cpuSecondsOf)));
    return sums.reduce((a, b) => a + b, 0);
  };
  const parts = OUTBOUND_PARTS.map((part) => {
    const pattern = processes[part];
    if (patterns.length === 0) return [part, { cpuSeconds: async () => Number.NaN }];
    return [part, pattern && { cpuSeconds: () => cpuSeconds([pattern]) }];
  });
  const [before = '', after = ''] = peer.body.split(MESSAGE);
  return {
    ...{ url: origin, receiver, sources: [] },
    parts: Object.fromEntries(parts),
    prepare: (file, from, count) =>
      writePublishes(file, `${pathname}${search}`, from, count, {
        headers,
        bodyOf: (message) => `${before}${message}${after}`,
      }),
    ...(patterns.length > 0 && { rest: () => untilAtRest(() => cpuSeconds(patterns)) }),
  };
}

/** A peer may write its log after the receipt. That work belongs to the messages, and must not load whatever is measured next. */
async function untilAtRest(cpuSeconds: () => Promise<number>): Promise<void> {
  const since = performance.now();
  for (let used = await cpuSeconds(); ; ) {
    await sleep(LOOK_MS);
    const now = await cpuSeconds();
    if (now - used < (AT_REST * LOOK_MS) / 1000) return;
    if (performance.now() - since > REST_WITHIN_MS)
      throw new Error('the peer is still busy long after the last receipt');
    used = now;
  }
}
