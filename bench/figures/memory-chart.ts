import { lineChart, type Series } from '../chart/line-chart.ts';
import type { Sample } from '../support/memory-samples.ts';

/** The parts whose memory is measured. */
export const KINDS = ['ingressMiB', 'workerMiB', 'storeMiB', 'redisMiB'] as const;
export type Kind = (typeof KINDS)[number];
export const NAMES: Readonly<Record<Kind, string>> = {
  ingressMiB: 'ingress',
  workerMiB: 'worker',
  storeMiB: 'embedded store',
  redisMiB: 'Redis (data)',
};

/** Memory of each part by the number of processed actions. */
export function memoryChart(title: string, samples: readonly Sample[]): string {
  return lineChart({
    title,
    xTitle: 'actions',
    yTitle: 'MiB',
    series: KINDS.map(
      (kind): Series => ({
        name: NAMES[kind],
        points: samples.map((sample) => [sample.actions, sample[kind]]),
      }),
    ),
  });
}
