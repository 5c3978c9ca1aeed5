import type { Pipeline } from '../../support/pipeline.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { sized } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import type { Load } from './load.ts';

/** A busy machine takes its time to start a process. */
const AT_WORK_WITHIN_MS = 90_000;

/** Requests between a part's return and its next kill, at most: hundreds of kills are to fit into minutes. */
const LONGEST_GAP = sized({ short: 100, long: 60 });

export type Part = 'ingress' | 'worker' | 'Redis' | 'MongoDB';

/** Kills one of a part's processes with SIGKILL; resolves once the part works again, by it or by another. */
export async function killOne(pipeline: Pipeline, part: Part, random: () => number): Promise<void> {
  switch (part) {
    case 'ingress':
      return replaceIngress(pipeline, Math.floor(random() * pipeline.ingresses.length));
    case 'worker': {
      const victim = await oneAtWork(pipeline, random);
      await victim.kill('SIGKILL');
      pipeline.workers.splice(pipeline.workers.indexOf(victim), 1);
      // The others go on: the next kill does not wait for it, unless it is the only one left.
      pipeline.addWorker();
      return;
    }
    case 'Redis':
      await pipeline.redis.kill('SIGKILL');
      return pipeline.redis.restart();
    case 'MongoDB':
      await pipeline.mongo?.kill('SIGKILL');
      return pipeline.mongo?.restart();
  }
}

/** One of the workers that take groups, once there is any. */
async function oneAtWork({ workers }: Pipeline, random: () => number): Promise<ServiceProcess> {
  const chance = random();
  let ready: ServiceProcess[] = [];
  await until(
    async () => {
      const are = await Promise.all(workers.map(isReady));
      ready = workers.filter((_, i) => are[i]);
      return ready.length > 0;
    },
    { what: 'a worker is at work', withinMs: AT_WORK_WITHIN_MS },
  );
  return ready[Math.floor(chance * ready.length)] as ServiceProcess;
}

async function isReady(service: ServiceProcess): Promise<boolean> {
  const url = service.adminUrl();
  if (url === undefined) return false;
  return fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
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

/** When it was killed, and when it worked again: milliseconds of `performance.now()`. */
export interface Return {
  readonly killedAt: number;
  readonly backAt: number;
}
export type OnBack = (one: Return) => void;

export interface Times {
  readonly times: number;
  /** Stops before `times` when a busy machine takes longer than this. */
  readonly withinMs: number;
  readonly random: () => number;
  /** Called after each kill, once it works again. */
  readonly onBack?: OnBack;
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
  { times, withinMs, random, onBack }: Times,
  kill: () => Promise<void>,
): Promise<number> {
  const until = performance.now() + withinMs;
  let kills = 0;
  for (; kills < times && performance.now() < until; kills++) {
    await load.sent(5 + Math.floor(random() * LONGEST_GAP));
    const killedAt = performance.now();
    await kill();
    onBack?.({ killedAt, backAt: performance.now() });
  }
  return kills;
}
