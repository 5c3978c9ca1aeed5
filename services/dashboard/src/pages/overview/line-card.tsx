import { useState } from 'react';
import { CardButton } from './card-button.tsx';
import { ChartCard } from './chart-card.tsx';
import type { Box } from './plot/box.ts';
import { Line } from './plot/lines.tsx';
import classes from './plot/plot.module.css';
import { Plot } from './plot/plot.tsx';
import { linearScale, logScale, type Scale } from './plot/scale.ts';
import { mostOf, type Row, type Series } from './series.ts';
import { isIn, type Pick, usePick } from './use-pick.ts';

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

export function LineCard({ title, unit, range, pick, lines, points, limit }: LineCardProps) {
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
      className={classes.chosen}
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
      <path className={classes.limit} d={`M${box.left},${y}H${box.right}`} />
      <text className={classes.tick} x={box.left + 6} y={y + 14}>
        {limit.label}
      </text>
    </>
  );
}
