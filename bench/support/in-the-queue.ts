import { drain } from './drain.ts';
import { startSluice } from './pipeline.ts';
import type { Point } from './point.ts';
import { onStage } from './stage.ts';
import { storeEvents } from './stored-events.ts';

const GROUP = 64;
const EVENTS = 10_000;

export function storedPoint(events: number, quick: boolean): Promise<Point> {
  return inTheQueue({ events, group: GROUP, actions: quick ? 5_000 : 40_000 });
}

export function groupPoint(group: number, quick: boolean): Promise<Point> {
  return inTheQueue({ events: EVENTS, group, actions: quick ? 3_000 : 20_000 });
}

interface QueueOf {
  readonly events: number;
  readonly group: number;
  readonly actions: number;
}

/** The worker alone, on the embedded store: a full queue of upserts of random stored events. */
function inTheQueue({ events, group, actions }: QueueOf): Promise<Point> {
  return onStage(async (keep) => {
    const pipeline = await startSluice(keep, { store: 'embedded', ingresses: 0 });
    const sourceId = pipeline.sources[0]?.sourceId as string;
    await storeEvents(pipeline.store.url, sourceId, events);
    await drain(pipeline, { sourceId, group, events, actions: Math.ceil(actions / 4) });
    const { actionsPerSecond, cpuUs, redisBytes, workerMiB, storeMiB } = await drain(pipeline, {
      sourceId,
      group,
      events,
      actions,
    });
    return { perSecond: actionsPerSecond, cpuUs, mib: workerMiB, storeMiB, redisBytes };
  });
}
