import { burstAfterBurst } from '../support/bursts.ts';
import type { FigureContext, FigureResult } from '../support/figure.ts';
import type { Sample } from '../support/memory-samples.ts';
import { median, slope } from '../support/stats.ts';
import { count, formatTable, ms } from '../support/table.ts';
import { KINDS, type Kind, memoryChart, NAMES } from './memory-chart.ts';

/** A machine with a lower rate is too slow to wait for. */
const FEWEST_A_MINUTE = 60_000;

/** Rows of the table: one for each of ten million actions. */
const PARTS = 10;

/** Whether memory grows with the number of processed actions at full load. */
export async function millionsFigure({ quick, actions, step }: FigureContext): Promise<FigureResult> {
  const size = quick ? Math.min(actions, 200_000) : actions;
  const ran = await step(
    `${count(size)} actions`,
    () => burstAfterBurst(size, tellMillion),
    size / FEWEST_A_MINUTE,
  );
  const title = 'Memory under full load';
  const parts = Array.from({ length: PARTS }, (_, part) => {
    const [from, to] = [(size * part) / PARTS, (size * (part + 1)) / PARTS];
    return { to, samples: ran.samples.filter((sample) => sample.actions > from && sample.actions <= to) };
  }).filter(({ samples }) => samples.length > 0);
  return {
    tables: [
      {
        title: `${title}: ${count(size)} actions in ${count(ran.seconds)} s, each burst sent when the one before is applied`,
        text: formatTable(
          ['median (most) MiB, up to', ...KINDS.map((kind) => NAMES[kind])],
          [
            ...parts.map(({ to, samples }) => [
              count(to),
              ...KINDS.map((kind) => middleAndMost(samples, kind)),
            ]),
            [
              'MiB a million, without the first tenth',
              ...KINDS.map((kind) => ms(growth(ran.samples, size, kind))),
            ],
          ],
        ),
      },
    ],
    data: {
      ...ran,
      growth: Object.fromEntries(KINDS.map((kind) => [kind, growth(ran.samples, size, kind)])),
    },
    charts: { 'millions.svg': memoryChart(title, ran.samples) },
  };
}

function tellMillion(applied: number): void {
  if (applied % 1_000_000 === 0) process.stderr.write(` ${count(applied)}`);
}

function middleAndMost(samples: readonly Sample[], kind: Kind): string {
  const values = samples.map((sample) => sample[kind]);
  return `${count(median(values))} (${count(Math.max(...values))})`;
}

/** MiB a million actions: the slope of the line through all samples after the first tenth. */
function growth(samples: readonly Sample[], size: number, kind: Kind): number {
  const settled = samples.filter(({ actions }) => actions > size / PARTS);
  return slope(settled.map((sample) => [sample.actions / 1e6, sample[kind]]));
}
