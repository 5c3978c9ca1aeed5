import type { Pipeline } from '../../support/pipeline.ts';
import type { Load } from './load.ts';

export type Part = 'ingress' | 'worker' | 'Redis' | 'MongoDB';

/** Kills one of a part's processes with SIGKILL; resolves once it, or another in its place, works again. */
export async function killOne(pipeline: Pipeline, part: Part, random: () => number): Promise<void> {
  switch (part) {
    case 'ingress':
      return replaceIngress(pipeline, Math.floor(random() * pipeline.ingresses.length));
    case 'worker': {
      const at = Math.floor(random() * pipeline.workers.length);
      await pipeline.workers[at]?.kill('SIGKILL');
      pipeline.workers.splice(at, 1);
      return pipeline.addWorker().ready();
    }
    case 'Redis':
      await pipeline.redis.kill('SIGKILL');
      return pipeline.redis.restart();
    case 'MongoDB':
      await pipeline.mongo?.kill('SIGKILL');
      return pipeline.mongo?.restart();
  }
}

async function replaceIngress(pipeline: Pipeline, at: number): Promise<void> {
  await pipeline.ingresses[at]?.kill('SIGKILL');
  // Requests go to its address meanwhile and find nobody, as they would behind a balancer that has not noticed yet.
  const replicas = pipeline.ingresses.length;
  const url = await pipeline.addIngress();
  pipeline.ingresses.splice(at, 1, ...pipeline.ingresses.splice(replicas));
  pipeline.urls.splice(replicas);
  pipeline.urls[at] = url;
}

export interface Times {
  readonly times: number;
  /** Stops before `times` when a busy machine takes longer than this. */
  readonly withinMs: number;
  readonly random: () => number;
}

/** Kills a part so often, each time after a random number of further requests; resolves with how often it did. */
export function keepKilling(
  pipeline: Pipeline,
  load: Load,
  { part, ...times }: Times & { readonly part: Part },
): Promise<number> {
  return againAndAgain(load, times, () => killOne(pipeline, part, times.random));
}

/** The same, of something that only the caller knows how to kill; `kill` resolves once it works again. */
export async function againAndAgain(
  load: Load,
  { times, withinMs, random }: Times,
  kill: () => Promise<void>,
): Promise<number> {
  const until = performance.now() + withinMs;
  let kills = 0;
  for (; kills < times && performance.now() < until; kills++) {
    await load.sent(5 + Math.floor(random() * 100));
    await kill();
  }
  return kills;
}
