import type { Overview, OverviewPoint } from '@sluice/dashboard-api/overview';
import { useState } from 'react';
import { CardButton } from './card-button.tsx';
import { ChartCard } from './chart-card.tsx';
import classes from './overview.module.css';
import { Parts } from './parts.tsx';
import { Line, StackedAreas, StackedBars } from './plot/marks.tsx';
import plot from './plot/plot.module.css';
import { Plot } from './plot/plot.tsx';
import { type Box, linearScale, logScale, mostOf, type Row, type Scale, type Series } from './plot/scale.ts';
import { type ChartSelection, isIn, type Kind, type Pick, usePick } from './selection.ts';

const PERCENTILES = [
  { key: 'p50', label: 'p50', color: 'var(--chart-accent)', dash: '0' },
  { key: 'p95', label: 'p95', color: 'var(--chart-accent-2)', dash: '6 3' },
  { key: 'p99', label: 'p99', color: 'var(--chart-accent-3)', dash: '2 3' },
];
/** No answer takes longer (docs/guarantees.md). */
const ANSWER_LIMIT = { value: 1500, label: 'response limit, 1.5 s' };

interface ChartsProps extends ChartSelection {
  readonly overview: Overview;
}

export function Charts({ overview, ...chosen }: ChartsProps) {
  const { points, range, bucket_seconds: bucketSeconds } = overview;
  const pick = { bucketSeconds, ...chosen };
  return (
    <>
      <DeliveriesChart overview={overview} {...pick} />
      {chosen.selection !== null && (
        <Parts selection={chosen.selection} onClear={() => chosen.select(null)} />
      )}
      <div className={classes.pair}>
        <LineCard
          title="Ingress latency"
          unit="ms"
          range={range}
          pick={pick}
          lines={PERCENTILES}
          points={points.map(({ at, ingress_ms }) => ({ at, ...ingress_ms }))}
          limit={ANSWER_LIMIT}
        />
        <LineCard
          title="From accepted to applied"
          unit="ms"
          range={range}
          pick={pick}
          lines={PERCENTILES}
          points={points.map(({ at, lag_ms }) => ({ at, ...lag_ms }))}
        />
      </div>
      <QueueCard points={points} range={range} />
    </>
  );
}

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

function DeliveriesChart({ overview, ...pick }: DeliveriesChartProps) {
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

/** A value that should not be exceeded. */
interface Limit {
  readonly value: number;
  readonly label: string;
}

interface LineCardProps {
  readonly title: string;
  readonly unit: string;
  readonly range: string;
  readonly pick: Pick;
  readonly lines: readonly Series[];
  readonly points: readonly Row[];
  /** Shown once a value comes near it. */
  readonly limit?: Limit;
}

function LineCard({ title, unit, range, pick, lines, points, limit }: LineCardProps) {
  const [log, setLog] = useState(false);
  const { handlers, marked, links } = usePick(pick);
  const most = mostOf(points, lines);
  const scale = log ? logScale(most) : linearScale(most, { whole: false });
  const name = `${title}, ${unit}`;
  return (
    <ChartCard
      title={name}
      series={lines}
      rows={points}
      links={links}
      more={
        unit === 'ms' && (
          <CardButton label={`Log scale: ${title}`} pressed={log} onClick={() => setLog(!log)}>
            Log
          </CardButton>
        )
      }
    >
      <Plot
        title={name}
        range={range}
        rows={points}
        series={lines}
        scale={scale}
        format={(value) => `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`}
        pick={handlers}
      >
        {(box, active) => (
          <>
            {marked !== null && (
              <Chosen box={box} inside={points.map(({ at }) => isIn(String(at), marked))} />
            )}
            {limit !== undefined && <LimitLine box={box} scale={scale} limit={limit} />}
            {lines.map((one) => (
              <Line key={one.key} series={one} rows={points} box={box} scale={scale} active={active} />
            ))}
          </>
        )}
      </Plot>
    </ChartCard>
  );
}

/** Shades the buckets that were chosen. */
function Chosen({ box, inside }: { readonly box: Box; readonly inside: readonly boolean[] }) {
  const first = inside.indexOf(true);
  if (first === -1) return null;
  const from = Math.max(box.left, box.x(first) - box.step / 2);
  const to = Math.min(box.right, box.x(inside.lastIndexOf(true)) + box.step / 2);
  return (
    <rect
      className={plot.chosen}
      x={from}
      y={box.top}
      width={Math.max(1, to - from)}
      height={box.bottom - box.top}
    />
  );
}

function LimitLine({
  box,
  scale,
  limit,
}: {
  readonly box: Box;
  readonly scale: Scale;
  readonly limit: Limit;
}) {
  if (limit.value > scale.max) return null;
  const y = box.y(scale.share(limit.value));
  return (
    <>
      <path className={plot.limit} d={`M${box.left},${y}H${box.right}`} />
      <text className={plot.tick} x={box.left + 6} y={y + 14}>
        {limit.label}
      </text>
    </>
  );
}

/** From the bottom up: what is being worked on is the least reason to worry. */
const STATES = [
  { key: 'active', label: 'Active', color: 'var(--chart-ok)' },
  { key: 'waiting', label: 'Waiting', color: 'var(--chart-accent)' },
  { key: 'delayed', label: 'Delayed', color: 'var(--chart-403)' },
  { key: 'dead_letters', label: 'Dead letters', color: 'var(--chart-401)' },
];
const WORKERS = { key: 'workers', label: 'Workers', color: 'var(--chart-accent-2)', dash: '6 3' };
const SERIES = [...STATES, WORKERS];
const TITLE = 'Queue depth by state, and workers';

interface QueueCardProps {
  readonly points: readonly OverviewPoint[];
  readonly range: string;
}

/** Did scaling help? The groups in the queues by state, against the workers that take them. */
function QueueCard({ points, range }: QueueCardProps) {
  const rows = points.map(({ at, queue, queue_depth: depth, workers }) => ({
    at,
    // Older buckets have only the sum: all of it may have waited.
    ...(queue ?? { active: null, waiting: depth, delayed: null, dead_letters: null }),
    workers,
  }));
  const scale = linearScale(mostOf(rows, STATES, true), { whole: true });
  const workersScale = linearScale(mostOf(rows, [WORKERS]), { whole: true });
  return (
    <ChartCard title={TITLE} series={SERIES} rows={rows}>
      <Plot title={TITLE} range={range} rows={rows} series={SERIES} scale={scale} rightScale={workersScale}>
        {(box, active) => (
          <>
            <StackedAreas series={STATES} rows={rows} box={box} scale={scale} />
            <Line series={WORKERS} rows={rows} box={box} scale={workersScale} active={active} steps />
          </>
        )}
      </Plot>
    </ChartCard>
  );
}
