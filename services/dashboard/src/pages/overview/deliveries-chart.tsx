import type { Overview } from '@sluice/dashboard-api/overview';
import { ChartCard } from './chart-card.tsx';
import { StackedBars } from './plot/bars.tsx';
import { Plot } from './plot/plot.tsx';
import { linearScale } from './plot/scale.ts';
import { mostOf, type Row, type Series } from './series.ts';
import { isIn, type Kind, type Pick, usePick } from './use-pick.ts';

/** The meanings of the statuses of the specification, in the order in which they are stacked. */
const GROUPS: readonly Series[] = [
  { key: '200', label: '200 accepted', color: 'var(--chart-ok)' },
  { key: '400', label: '400 bad request', color: 'var(--chart-400)', hatch: 90 },
  { key: '401', label: '401 signature', color: 'var(--chart-401)', hatch: 45 },
  { key: '403', label: '403 inactive or plan', color: 'var(--chart-403)', hatch: 0 },
  { key: '429', label: '429 rate', color: 'var(--chart-429)', hatch: 135 },
  { key: '5xx', label: '5xx try again', color: 'var(--chart-5xx)' },
  { key: 'other', label: 'other', color: 'var(--mantine-color-dimmed)', hatch: 60 },
];
const NAMED = new Set(GROUPS.map(({ key }) => key));
const UNFINISHED_OPACITY = 0.45;
/** Buckets outside of the selection are faint. */
const ASIDE_OPACITY = 0.25;
/** The filter of the deliveries that a part of a bar counts. The other parts have no single filter. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(['200', '400', '401', '403', '429'].map((status) => [status, { status }])),
  '5xx': { status_class: '5xx' },
};

interface DeliveriesChartProps extends Pick {
  readonly overview: Overview;
}

export function DeliveriesChart({ overview, ...pick }: DeliveriesChartProps) {
  const { handlers, press, marked, links } = usePick(pick, KINDS);
  const rows: readonly Row[] = overview.points.map(({ at, by_status: byStatus }) => ({
    at,
    ...grouped(byStatus),
  }));
  const present = GROUPS.filter(({ key }) => key === '200' || rows.some((row) => row[key]));
  const title = `Deliveries ${overview.bucket_seconds === 60 ? 'a minute' : `per ${bucketWords(overview.bucket_seconds)}`}, by status`;
  const scale = linearScale(mostOf(rows, present, true), { whole: true });
  return (
    <ChartCard
      title={title}
      series={present}
      rows={rows}
      links={links}
      hint="Click a bar, or drag over several, to see their deliveries."
    >
      <Plot
        title={title}
        range={overview.range}
        rows={rows}
        series={present}
        scale={scale}
        bands
        pick={handlers}
      >
        {(box) => (
          <StackedBars
            series={present}
            rows={rows}
            box={box}
            scale={scale}
            opacityOf={({ at }, index) => opacityOf(isIn(String(at), marked), index === rows.length - 1)}
            onPress={press}
          />
        )}
      </Plot>
    </ChartCard>
  );
}

/** The last bucket is not over yet. */
function opacityOf(chosen: boolean, isLast: boolean): number {
  if (!chosen) return ASIDE_OPACITY;
  return isLast ? UNFINISHED_OPACITY : 1;
}

function grouped(byStatus: Readonly<Record<string, number>>): Record<string, number> {
  const groups: Record<string, number> = {};
  for (const [status, count] of Object.entries(byStatus)) {
    const key = NAMED.has(status) ? status : status.startsWith('5') ? '5xx' : 'other';
    groups[key] = (groups[key] ?? 0) + count;
  }
  return groups;
}

function bucketWords(seconds: number): string {
  return seconds < 3600 ? `${seconds / 60} minutes` : seconds === 3600 ? 'hour' : `${seconds / 3600} hours`;
}
