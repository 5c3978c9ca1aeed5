import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import { shortLocalTime } from '../../../ui/time.ts';
import { Swatch } from './marks.tsx';
import classes from './plot.module.css';
import { type Box, boxOf, labelledIn, type Row, type Scale, type Series, tickText } from './scale.ts';

/** Receives the bucket that is pressed, dragged to or chosen by keyboard, named by its time. */
export interface PlotPick {
  readonly down: (at: string) => void;
  readonly move: (at: string) => void;
  readonly up: () => void;
  readonly leave: () => void;
  readonly choose: (at: string) => void;
}

interface PlotProps {
  readonly title: string;
  readonly range: string;
  readonly rows: readonly Row[];
  /** For the tooltip. */
  readonly series: readonly Series[];
  readonly scale: Scale;
  readonly rightScale?: Scale;
  readonly bands?: boolean;
  readonly format?: (value: number) => string;
  readonly pick?: PlotPick;
  /** Draws the series. `active` is the index of the bucket that is pointed at. */
  readonly children: (box: Box, active: number | null) => ReactNode;
}

const inWords = (value: number) => value.toLocaleString('en');

/**
 * Axes, grid and tooltip of a chart over time, which fills its element. Arrow keys, Home and End move the tooltip, Enter
 * chooses its bucket, and Escape closes it.
 */
export function Plot(props: PlotProps) {
  const { title, range, rows, series, scale, rightScale, bands = false, format = inWords, pick } = props;
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const [active, setActive] = useState<number | null>(null);
  const box = boxOf({ width, height, count: rows.length, bands, twoAxes: rightScale !== undefined });
  const timeOf = (index: number | null | undefined) => String(rows[index ?? -1]?.at ?? '');
  const x = box.x(active ?? 0);

  const pointAt = ({ currentTarget, clientX }: MouseEvent): string => {
    const index = box.indexAt(clientX - currentTarget.getBoundingClientRect().left);
    setActive(index ?? null);
    return timeOf(index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return active === null ? undefined : pick?.choose(timeOf(active));
    const next = afterKey(event.key, active, rows.length - 1);
    if (next === undefined) return;
    event.preventDefault();
    setActive(next);
  };
  return (
    <div className={classes.plot}>
      <div
        ref={ref}
        className={classes.drawing}
        data-pick={pick !== undefined || undefined}
        role="img"
        aria-label={`Chart: ${title}. Also as a table.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the tooltip.
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
        onMouseDown={(event) => {
          const at = pointAt(event);
          if (at !== '') pick?.down(at);
        }}
        onMouseMove={(event) => {
          const at = pointAt(event);
          if (at !== '') pick?.move(at);
        }}
        onMouseUp={() => pick?.up()}
        onMouseLeave={() => {
          setActive(null);
          pick?.leave();
        }}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true">
            <ValueAxis box={box} scale={scale} />
            {rightScale !== undefined && <ValueAxis box={box} scale={rightScale} side="right" />}
            {active !== null && <Cursor box={box} x={x} bands={bands} />}
            {props.children(box, active)}
            <TimeAxis box={box} times={rows.map(({ at }) => String(at))} range={range} />
          </svg>
        )}
      </div>
      <Tooltip
        row={active === null ? undefined : rows[active]}
        series={series}
        format={format}
        x={x}
        width={width}
      />
    </div>
  );
}

/** Marks the bucket that is pointed at. */
function Cursor({ box, x, bands }: { readonly box: Box; readonly x: number; readonly bands: boolean }) {
  if (!bands) return <path className={classes.cursor} d={`M${x},${box.top}V${box.bottom}`} />;
  const { top, bottom, step } = box;
  return <rect className={classes.band} x={x - step / 2} y={top} width={step} height={bottom - top} />;
}

/** The bucket to which a key moves the tooltip; null closes it; undefined: not a key of the chart. */
function afterKey(key: string, active: number | null, last: number): number | null | undefined {
  switch (key) {
    case 'ArrowLeft':
      return active === null ? last : Math.max(0, active - 1);
    case 'ArrowRight':
      return active === null ? 0 : Math.min(last, active + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'Escape':
      return active === null ? undefined : null;
    default:
      return undefined;
  }
}

interface ValueAxisProps {
  readonly box: Box;
  readonly scale: Scale;
  /** The one at the right has no lines: those of the left one are enough. */
  readonly side?: 'left' | 'right';
}

function ValueAxis({ box, scale, side = 'left' }: ValueAxisProps) {
  const x = side === 'left' ? box.left - 8 : box.right + 8;
  return scale.ticks.map((tick) => (
    <g key={tick}>
      {side === 'left' && tick > 0 && (
        <path className={classes.grid} d={`M${box.left},${box.y(scale.share(tick))}H${box.right}`} />
      )}
      <text
        className={classes.tick}
        x={x}
        y={box.y(scale.share(tick))}
        dy="0.32em"
        textAnchor={side === 'left' ? 'end' : 'start'}
      >
        {tickText(tick)}
      </text>
    </g>
  ));
}

interface TimeAxisProps {
  readonly box: Box;
  readonly times: readonly string[];
  readonly range: string;
}

function TimeAxis({ box, times, range }: TimeAxisProps) {
  const words = range === '1h' || range === '24h' ? time : day;
  const labels = times.map((at) => words.format(new Date(at)));
  return (
    <>
      <path className={classes.axis} d={`M${box.left},${box.bottom}H${box.right}`} />
      {labelledIn(box, labels).map((index) => (
        <text
          key={index}
          className={classes.tick}
          x={box.x(index)}
          y={box.bottom + 18}
          // The middle of the last one would stand at the edge.
          textAnchor={box.x(index) + HALF_LABEL > box.right ? 'end' : 'middle'}
        >
          {labels[index]}
        </text>
      ))}
    </>
  );
}

const HALF_LABEL = 20;
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

interface TooltipProps {
  /** undefined: nothing is pointed at. */
  readonly row: Row | undefined;
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Pixels: the place that it points at, and the width of the chart. */
  readonly x: number;
  readonly width: number;
}

const DISTANCE = 12;

/** The numbers of one bucket, beside it on the side with more room. A screen reader reads them as they change. */
function Tooltip({ row, series, format, x, width }: TooltipProps) {
  const place =
    x < width / 2
      ? { left: x + DISTANCE, maxWidth: width - x - DISTANCE }
      : { right: width - x + DISTANCE, maxWidth: x - DISTANCE };
  return (
    <div role="status" className={classes.tooltip} style={place}>
      {row !== undefined && (
        <>
          <strong>{shortLocalTime(String(row.at))}</strong>
          <ul>
            {series.map((one) => {
              const value = row[one.key];
              return typeof value === 'number' ? (
                <li key={one.key}>
                  <Swatch series={one} />
                  <span>{one.label}</span> <span className="number">{format(value)}</span>
                </li>
              ) : null;
            })}
          </ul>
        </>
      )}
    </div>
  );
}
