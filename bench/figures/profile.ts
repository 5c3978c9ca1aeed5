import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CpuProfile, functionOf, packageOf, selfCosts } from '../support/cpu-profile.ts';
import { drain } from '../support/drain.ts';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import { startSluice } from '../support/pipeline.ts';
import { onStage } from '../support/stage.ts';
import { storeEvents } from '../support/stored-events.ts';
import { formatTable } from '../support/table.ts';

const SHOWN = 25;
const [EVENTS, GROUP] = [10_000, 64];

/** The functions that use the CPU time of a worker and the embedded store while they apply a full queue. */
export async function profileFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const actions = quick ? 6_000 : 60_000;
  const profiles = await step(`${actions} actions`, () => profile(actions));
  const tables = Object.entries(profiles).flatMap(([name, { packages, functions }]) => [
    { title: `${name}: packages`, text: tableOf(packages) },
    { title: `${name}: functions`, text: tableOf(functions) },
  ]);
  return { tables, data: profiles };
}

function tableOf(costs: readonly { name: string; share: number }[]): string {
  return formatTable(
    ['', 'of the busy time'],
    costs.slice(0, SHOWN).map(({ name, share }) => [name, `${(share * 100).toFixed(1)} %`]),
  );
}

async function profile(actions: number) {
  const dir = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const flags = (name: string) => ['--cpu-prof', `--cpu-prof-dir=${join(dir, name)}`];
  try {
    await onStage(async (keep) => {
      const execArgv = { worker: flags('worker'), store: flags('store') };
      const pipeline = await startSluice(keep, { store: 'embedded', ingresses: 0, execArgv });
      const { store, sources, workers } = pipeline;
      const sourceId = sources[0]?.sourceId as string;
      await storeEvents(store.url, sourceId, EVENTS);
      await drain(pipeline, { sourceId, actions, group: GROUP, events: EVENTS });
      // A killed process writes no profile, so stop it with SIGTERM.
      for (const part of [...workers, store]) await part.end();
    });
    return { worker: await read(join(dir, 'worker')), 'embedded store': await read(join(dir, 'store')) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function read(dir: string) {
  const [file] = await readdir(dir);
  const profile = JSON.parse(await readFile(join(dir, file as string), 'utf8')) as CpuProfile;
  return { packages: selfCosts(profile, packageOf), functions: selfCosts(profile, functionOf).slice(0, 100) };
}
