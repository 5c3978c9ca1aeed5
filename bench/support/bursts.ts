import { forgetOldRows, type Sample, sampleMemory } from './memory-samples.ts';
import { startSluice } from './pipeline.ts';
import { startSender } from './sender.ts';
import { onStage } from './stage.ts';
import { waitApplied } from './wait-applied.ts';

export interface Bursts {
  /** One sample after each burst, once all of it is applied. */
  readonly samples: readonly Sample[];
  readonly seconds: number;
  readonly actions: number;
}

const CONNECTIONS = 64;
/** Number of events that are written repeatedly, the same as in the soak. */
const EVENTS = 20_000;
/** Size of a burst: some seconds of work for two cores. */
const BURST = 20_000;

/**
 * Sends bursts as fast as the server responds, each once the previous one is applied. So the machine is always fully
 * loaded at its current speed. Throws unless every response is 200 and every action is applied.
 */
export function burstAfterBurst(actions: number, onApplied: (applied: number) => void): Promise<Bursts> {
  return onStage(async (keep) => {
    const pipeline = await startSluice(keep, { store: 'embedded' });
    const sender = await keep(startSender({ targets: pipeline.sources, events: EVENTS }));
    const samples: Sample[] = [];
    const since = performance.now();
    const seconds = () => (performance.now() - since) / 1000;
    await keep(forgetOldRows(pipeline));
    const size = (sent: number) => Math.min(BURST, actions - sent);
    await sender.prepare(size(0));
    for (let sent = 0; sent < actions; ) {
      const count = size(sent);
      await sender.send({ mode: 'closed', urls: pipeline.urls, connections: CONNECTIONS, count });
      sent += count;
      await Promise.all([waitApplied(sent, pipeline), sender.prepare(size(sent))]);
      samples.push(await sampleMemory(pipeline, seconds()));
      onApplied(sent);
    }
    return { samples, seconds: seconds(), actions };
  });
}
