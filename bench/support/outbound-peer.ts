import { cpuSecondsLike, untilAtRest } from './at-rest.ts';
import { OUTBOUND_PARTS } from './outbound-parts.ts';
import { type OutboundPipeline, writePublishes } from './outbound-pipeline.ts';
import { MESSAGE, type Peer } from './peer-options.ts';
import { startBenchReceiver } from './receiver.ts';
import type { Keep } from './stage.ts';

/** A peer as a pipeline, with a new receiver at its endpoint. */
export async function usePeer(keep: Keep, peer: Peer): Promise<OutboundPipeline> {
  const { url, headers, receiverPort, idHeader, processes } = peer;
  const receiver = await keep(startBenchReceiver({ port: receiverPort, idHeader }));
  const { origin, pathname, search } = new URL(url);
  const patterns = Object.values(processes);
  const parts = OUTBOUND_PARTS.map((part) => {
    const pattern = processes[part];
    if (patterns.length === 0) return [part, { cpuSeconds: async () => Number.NaN }];
    return [part, pattern && { cpuSeconds: () => cpuSecondsLike([pattern]) }];
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
    ...(patterns.length > 0 && { rest: () => untilAtRest(patterns) }),
  };
}
