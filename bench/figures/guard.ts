import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkout, checkOut, lastRelease } from '../support/checkout.ts';
import { type Costs, compareCosts, failureOf, type Runs } from '../support/compare-costs.ts';
import { type FigureContext, type FigureResult, step } from '../support/figure.ts';
import { countEvent, countsEvent, INSTRUCTIONS } from '../support/instructions.ts';
import { leadRequests } from '../support/lead-requests.ts';
import { type Measured, ROOT } from '../support/processes.ts';
import { writeRequests } from '../support/requests-file.ts';
import { runThrough } from '../support/run-through.ts';
import { type Keep, onStage } from '../support/stage.ts';
import { type StoreName, storesAtHand, storeTitle } from '../support/store.ts';
import { formatTable, percent } from '../support/table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { wrk } from '../support/wrk.ts';

const CONNECTIONS = 32;

/** A checkout is started by its own bench, which knows its variables and what it stores. */
type BenchPipeline = typeof import('../support/pipeline.ts');
type BenchLeadServers = typeof import('../support/lead-servers.ts');

type Unit = 'CPU us' | 'thousand instructions';

/** The working tree against another commit: the costs of a request. Fails if it has become more expensive. */
export async function guardFigure({ quick, base }: FigureContext): Promise<FigureResult> {
  const store = storesAtHand()[0] as StoreName;
  // The processes of a given database are not the bench's, so their CPU time is all that can be read.
  const counts = store === 'embedded' && (await countsEvent(INSTRUCTIONS));
  const unit: Unit = counts ? 'thousand instructions' : 'CPU us';
  const ref = base ?? (await lastRelease());
  return onStage(async (keep) => {
    console.error(`  installing ${ref} …`);
    const before = await keep(checkOut(ref));
    // 0.1.0 had no public API, so only events are compared with it.
    const withLeads = existsSync(`${before.root}packages/leads`);
    const runs = { before: [] as Costs[], after: [] as Costs[] };
    const rounds = quick ? 1 : 6;
    for (let round = 1; round <= rounds; round++) {
      // The order alternates, so that a machine that becomes slower favours neither.
      const order = round % 2 === 1 ? (['before', 'after'] as const) : (['after', 'before'] as const);
      for (const side of order) {
        const root = side === 'before' ? before.root : ROOT;
        runs[side].push(
          await step(`round ${round}, ${side}`, () => measure(root, { unit, store, quick, withLeads })),
        );
      }
    }
    return judge(runs, before, `${unit} a request, ${storeTitle(store)}`);
  });
}

interface Extent {
  readonly unit: Unit;
  readonly store: StoreName;
  readonly quick: boolean;
  readonly withLeads: boolean;
}

function measure(root: string, extent: Extent): Promise<Costs> {
  return onStage(async (keep) => ({
    ...(await eventCosts(keep, root, extent)),
    ...(extent.withLeads && (await leadCosts(keep, root, extent))),
  }));
}

/** From the request until the action is applied and logged. */
async function eventCosts(keep: Keep, root: string, { unit, store, quick }: Extent): Promise<Costs> {
  const { startSluice } = (await import(`${root}bench/support/pipeline.ts`)) as BenchPipeline;
  const pipeline = await startSluice(keep, store);
  const { ingress, redis, worker, store: database } = pipeline.parts;
  const parts = {
    ingress: await countedBy(keep, unit, ingress),
    redis: await countedBy(keep, unit, redis),
    worker: await countedBy(keep, unit, worker),
    store: await countedBy(keep, unit, database),
  };
  const { cpuUs } = await runThrough(
    keep,
    { ...pipeline, parts },
    { actions: quick ? 2_000 : 15_000, connections: CONNECTIONS, warmUpSeconds: quick ? 0 : 5 },
  );
  return Object.fromEntries(Object.entries(cpuUs).map(([part, cost]) => [`event: ${part}`, cost]));
}

/** A lead created by the public API. */
async function leadCosts(keep: Keep, root: string, { unit, store, quick }: Extent): Promise<Costs> {
  const [warmUp, seconds] = quick ? [1, 1] : [2, 4];
  const { path } = await keep(temporaryFolder());
  const { startSluiceApi } = (await import(`${root}bench/support/lead-servers.ts`)) as BenchLeadServers;
  const running = await startSluiceApi(keep, store);
  const server = await countedBy(keep, unit, running.server);
  const target = { host: new URL(server.url).host, ids: running.ids, key: running.key as string };
  const requests = join(path, 'requests');
  await writeRequests(requests, leadRequests('create', target, 8_000 * (warmUp + seconds), 0));
  const load = { url: server.url, requests, connections: CONNECTIONS };
  const warm = await wrk({ ...load, seconds: warmUp });
  const before = await server.cpuSeconds();
  const result = await wrk({ ...load, seconds, from: warm.requests + CONNECTIONS });
  if (warm.not200 + result.not200 > 0) throw new Error('a lead was not created');
  return { 'lead: api': (((await server.cpuSeconds()) - before) * 1e6) / result.requests };
}

/** A part whose cost is counted. */
type Costing = Partial<Pick<Measured, 'pid'>> & Pick<Measured, 'cpuSeconds'>;

/** Replaces the CPU time of a part by its instructions, where the processor counts them. */
async function countedBy<T extends Costing>(keep: Keep, unit: Unit, part: T): Promise<T> {
  if (unit === 'CPU us' || part.pid === undefined) return part;
  const count = await keep(Promise.resolve(countEvent(part.pid, INSTRUCTIONS)));
  // A billionth, so that a count divided like microseconds is in thousands.
  return { ...part, cpuSeconds: async () => count.read() / 1e9 };
}

/** `measured`: unit and store, for the title. */
function judge(runs: Runs, { commit }: Checkout, measured: string): FigureResult {
  const rows = compareCosts(runs);
  const cells = rows.map((row) => [
    row.name,
    row.before.toFixed(1),
    row.after.toFixed(1),
    row.ratio.toFixed(3),
    percent(row.spread),
  ]);
  const failure = failureOf(rows);
  return {
    tables: [
      {
        title: `${measured}, this working tree against ${commit}`,
        text: formatTable(['', 'before', 'after', 'ratio', 'spread'], cells),
      },
    ],
    data: { measured, commit, rows, ...runs },
    ...(failure !== undefined && { failure }),
  };
}
