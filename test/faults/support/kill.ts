import type { Pipeline } from '../../support/pipeline.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { sized } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import type { Load } from './load.ts';

/** Starting a process takes long on a busy machine. */
const AT_WORK_WITHIN_MS = 90_000;

/** The maximum number of requests between a return and the next kill. Hundreds of kills must fit into minutes. */
const LONGEST_GAP = sized({ short: 100, long: 60 });

export type Part = 'ingress' | 'worker' | 'Redis' | 'MongoDB';

/** Kills one process of a part with SIGKILL. Resolves once the part works again, with this process or another. */
export async function killOne(pipeline: Pipeline, part: Part, random: () => number): Promise<void> {
  switch (part) {
    case 'ingress':
      return replaceIngress(pipeline, Math.floor(random() * pipeline.ingresses.length));
    case 'worker': {
      const victim = await oneAtWork(pipeline, random);
      await victim.kill('SIGKILL');
      pipeline.workers.splice(pipeline.workers.indexOf(victim), 1);
      // The other workers continue. The next kill waits for the new one only if it is the last.
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

/** One of the workers that process groups, once there is one. */
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
  // Meanwhile requests to its address fail, as behind a load balancer that has not noticed yet.
  const replicas = pipeline.ingresses.length;
  const url = await pipeline.addIngress();
  pipeline.ingresses.splice(at, 1, ...pipeline.ingresses.splice(replicas));
  pipeline.urls.splice(replicas);
  pipeline.urls[at] = url;
}

export interface Times {
  readonly part: Part;
  readonly times: number;
  readonly random: () => number;
}

/** Kills a part `times` times, each time after a random number of further requests. */
export async function keepKilling(
  pipeline: Pipeline,
  load: Load,
  { part, times, random }: Times,
): Promise<void> {
  for (let kills = 0; kills < times; kills++) {
    await load.sent(5 + Math.floor(random() * LONGEST_GAP));
    await killOne(pipeline, part, random);
  }
}
