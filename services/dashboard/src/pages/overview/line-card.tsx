import { useState } from 'react';
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { shortLocalTime } from '../../ui/time.ts';
import { CardButton } from './card-button.tsx';
import { ChartCard } from './chart-card.tsx';
import { AXIS, DOT, isolated, TOOLTIP_STYLE, timeAxis } from './chart-words.ts';
import { isIn, type Pick, usePick } from './use-pick.ts';

interface LineCardProps {
  readonly title: string;
  readonly unit: string;
  readonly range: string;
  readonly pick: Pick;
  readonly lines: readonly {
    readonly key: string;
    readonly label: string;
    readonly color: string;
    readonly dash: string;
  }[];
  readonly points: readonly Readonly<Record<string, string | number | null>>[];
  /** A line that should not be crossed; shown once something comes near it. */
  readonly limit?: { readonly value: number; readonly label: string };
}

export function LineCard({ title, unit, range, pick, lines, points, limit }: LineCardProps) {
  const [log, setLog] = useState(false);
  const { handlers, marked, links } = usePick(pick);
  const chosen = marked === null ? [] : points.filter(({ at }) => isIn(String(at), marked));
  return (
    <ChartCard
      title={`${title}, ${unit}`}
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
      <ResponsiveContainer>
        <LineChart data={[...points]} margin={{ top: 8, right: 8, bottom: 0, left: -12 }} {...handlers}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...timeAxis(range)} />
          {log ? (
            <YAxis {...AXIS} yAxisId="left" scale="log" domain={LOG_DOMAIN} allowDataOverflow />
          ) : (
            <YAxis {...AXIS} yAxisId="left" />
          )}
          {limit !== undefined && (
            <ReferenceLine
              yAxisId="left"
              y={limit.value}
              stroke="var(--chart-5xx)"
              strokeDasharray="4 4"
              label={{ value: limit.label, position: 'insideTopLeft', fill: 'var(--mantine-color-dimmed)' }}
            />
          )}
          <Tooltip
            {...TOOLTIP_STYLE}
            labelFormatter={(at) => shortLocalTime(String(at))}
            formatter={(value) =>
              `${Number(value).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
            }
          />
          {chosen.length > 0 && (
            <ReferenceArea
              yAxisId="left"
              x1={String(chosen[0]?.at)}
              x2={String(chosen.at(-1)?.at)}
              stroke="var(--chart-accent)"
              fill="var(--chart-accent)"
              fillOpacity={0.15}
            />
          )}
          {lines.map(({ key, label, color, dash }) => (
            <Line
              key={key}
              yAxisId="left"
              type="linear"
              dataKey={key}
              name={label}
              stroke={color}
              strokeWidth={2}
              strokeDasharray={dash}
              dot={isolated(points, key) ? DOT : false}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </ChartCard>
  );
}

/** A logarithm has no zero: what took less than a millisecond stands at its bottom. */
const LOG_DOMAIN: [number, 'auto'] = [1, 'auto'];
