import { type Backlog, measureBacklog } from '../support/backlog.ts';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import type { Sample } from '../support/memory-samples.ts';
import { type Soak, soak } from '../support/soak.ts';
import { slope } from '../support/stats.ts';
import { count, formatTable, ms, percent } from '../support/table.ts';
import { KINDS, type Kind, memoryChart, NAMES } from './memory-chart.ts';

/** Whether memory grows with the number of processed actions, and how much a waiting action uses. */
export async function memoryFigure({ quick, minutes, share, step }: FigureContext): Promise<FigureResult> {
  const soaked = await step(`${minutes} minutes of requests`, () => soak(minutes * 60, share), minutes);
  const { samples } = soaked;
  const backlogs: Backlog[] = [];
  for (const actions of quick ? [2_000, 10_000] : [20_000, 200_000, 1_000_000])
    backlogs.push(await step(`${count(actions)} actions waiting`, () => measureBacklog(actions)));
  const title = 'Memory while actions go through';
  return {
    tables: [
      { title: `A rate held for ${minutes} minutes`, text: rateTable(soaked) },
      { title, text: soakTable(samples) },
      { title: 'Redis memory of actions that wait (no worker)', text: backlogTable(backlogs) },
    ],
    data: { ...soaked, mibAMinute: mibAMinute(samples), backlogs },
    charts: { 'memory.svg': memoryChart(title, samples) },
  };
}

function rateTable({ rate, most, mostAtOnce, answered, errors, p50Ms, p99Ms, backlogMs }: Soak): string {
  return formatTable(
    [
      'requests/s',
      'of the most evenly',
      'of the most at once',
      'requests',
      'errors',
      'p50 ms',
      'p99 ms',
      'nothing waits after ms',
    ],
    [
      [
        count(rate),
        percent(rate / most),
        percent(rate / mostAtOnce),
        count(answered),
        `${errors}`,
        ms(p50Ms),
        ms(p99Ms),
        ms(backlogMs),
      ],
    ],
  );
}

/** Growth of each in MiB a minute: the slope of the line through all samples but the first. */
function mibAMinute(samples: readonly Sample[]): Readonly<Record<Kind, number>> {
  const of = (kind: Kind) => slope(samples.slice(1).map((sample) => [sample.seconds / 60, sample[kind]]));
  return {
    ingressMiB: of('ingressMiB'),
    workerMiB: of('workerMiB'),
    storeMiB: of('storeMiB'),
    redisMiB: of('redisMiB'),
  };
}

/** The first sample shows processes that have just started. So growth counts from the second, and separately for the second half. */
function soakTable(samples: readonly Sample[]): string {
  const [second, last] = [samples[1], samples.at(-1)];
  const half = samples[Math.floor(samples.length / 2)];
  if (second === undefined || half === undefined || last === undefined) throw new Error('too few samples');
  const minutely = mibAMinute(samples);
  const aMillion = (from: Sample, kind: Kind) =>
    ms(((last[kind] - from[kind]) * 1e6) / Math.max(1, last.actions - from.actions));
  return formatTable(
    [
      '',
      `MiB at ${count(second.actions)}`,
      `at ${count(last.actions)}`,
      'MiB a million',
      'second half',
      'MiB a minute',
    ],
    KINDS.map((kind) => [
      NAMES[kind],
      count(second[kind]),
      count(last[kind]),
      aMillion(second, kind),
      aMillion(half, kind),
      ms(minutely[kind]),
    ]),
  );
}

/** Compares each backlog with the prediction from the smallest. */
function backlogTable(backlogs: readonly Backlog[]): string {
  const first = backlogs[0] as Backlog;
  const mib = (bytes: number) => count(bytes / 1024 ** 2);
  return formatTable(
    ['actions', 'Redis MiB', 'extrapolated', 'bytes an action', 'ingress MiB'],
    backlogs.map(({ actions, bytes, ingressMiB }) => [
      count(actions),
      mib(bytes),
      mib((first.bytes / first.actions) * actions),
      count(bytes / actions),
      count(ingressMiB),
    ]),
  );
}
