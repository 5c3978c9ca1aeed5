import { lineChart } from '../chart/line-chart.ts';
import { connectionsPoint, sourcesPoint } from '../support/at-the-door.ts';
import { PARTS } from '../support/cpu.ts';
import type { FigureContext, FigureResult, Table } from '../support/figure.ts';
import { groupPoint, storedPoint } from '../support/in-the-queue.ts';
import type { Point } from '../support/point.ts';
import { median } from '../support/stats.ts';
import { count, formatTable, ratio } from '../support/table.ts';

interface Curve {
  readonly file: string;
  readonly title: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly rounds: number;
  measure(size: number, quick: boolean): Promise<Point>;
}

function curvesOf(quick: boolean): Curve[] {
  const rounds = quick ? 1 : 3;
  const upTo = (sizes: readonly number[]) => (quick ? sizes.slice(0, 3) : sizes);
  return [
    {
      file: 'growth-connections.svg',
      title: 'Cost of a request by connections',
      unit: 'connections',
      sizes: quick ? [1, 64, 1000] : [1, 8, 64, 256, 1000],
      rounds,
      measure: connectionsPoint,
    },
    {
      file: 'growth-sources.svg',
      title: 'Cost of a request by sources',
      unit: 'sources',
      sizes: upTo([1, 100, 1_000, 10_000, 100_000]),
      rounds,
      measure: sourcesPoint,
    },
    {
      file: 'growth-events.svg',
      title: 'Cost of an action by events stored',
      unit: 'events stored',
      sizes: upTo([1_000, 10_000, 100_000, 1_000_000]),
      rounds: quick ? 1 : 2,
      measure: storedPoint,
    },
    {
      file: 'growth-groups.svg',
      title: 'Cost of an action by size of the group',
      unit: 'actions a group',
      sizes: quick ? [1, 32, 512] : [1, 8, 64, 256, 512],
      rounds,
      measure: groupPoint,
    },
  ];
}

/** How the cost of an action grows with each size. Each round measures all sizes, so that a slow minute affects all. */
export async function growthFigure({ quick, step }: FigureContext): Promise<FigureResult> {
  const tables: Table[] = [];
  const data: Record<string, unknown> = {};
  const charts: Record<string, string> = {};
  for (const { file, title, unit, sizes, rounds, measure } of curvesOf(quick)) {
    const points = new Map<number, Point[]>(sizes.map((size) => [size, []]));
    for (let round = 1; round <= rounds; round++)
      for (const size of sizes) {
        const name = `${count(size)} ${unit}, round ${round}`;
        points.get(size)?.push(await step(name, () => measure(size, quick)));
      }
    const middle = new Map([...points].map(([size, own]) => [size, middleOf(own)]));
    data[unit] = { points: Object.fromEntries(points), medians: Object.fromEntries(middle) };
    tables.push({ title, text: tableOf(unit, middle) });
    const series = PARTS.map((part) => ({
      name: part,
      points: [...middle].map(([size, { cpuUs }]) => [size, cpuUs[part]] as const),
    })).filter((one) => one.points.some(([, us]) => us > 0));
    charts[file] = lineChart({ title, xTitle: unit, yTitle: 'CPU us', series, logX: true });
  }
  return { tables, data, charts };
}

function middleOf(points: readonly Point[]): Point {
  const of = (value: (point: Point) => number) => median(points.map(value));
  return {
    perSecond: of(({ perSecond }) => perSecond),
    cpuUs: {
      ingress: of(({ cpuUs }) => cpuUs.ingress),
      redis: of(({ cpuUs }) => cpuUs.redis),
      worker: of(({ cpuUs }) => cpuUs.worker),
      store: of(({ cpuUs }) => cpuUs.store),
    },
    mib: of(({ mib }) => mib),
    storeMiB: of(({ storeMiB }) => storeMiB),
    redisBytes: of(({ redisBytes }) => redisBytes),
  };
}

/** The last column checks the aim: at most 1.5 times the cost at the smallest size. */
function tableOf(unit: string, points: ReadonlyMap<number, Point>): string {
  const total = ({ cpuUs }: Point) => PARTS.reduce((sum, part) => sum + cpuUs[part], 0);
  const smallest = total([...points.values()][0] as Point);
  const rows = [...points].map(([size, point]) => [
    count(size),
    count(point.perSecond),
    ...PARTS.map((part) => count(point.cpuUs[part])),
    count(point.mib),
    count(point.storeMiB),
    count(point.redisBytes),
    ratio(total(point) / smallest),
  ]);
  const head = [unit, 'a second', 'ingress CPU us', 'redis', 'worker', 'store', 'RSS MiB', 'store MiB'];
  return formatTable([...head, 'Redis bytes an action', 'CPU / smallest'], rows);
}
