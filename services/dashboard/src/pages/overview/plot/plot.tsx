import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react';
import type { Row, Series } from '../series.ts';
import { TimeAxis, ValueAxis } from './axes.tsx';
import { type Box, boxOf } from './box.ts';
import classes from './plot.module.css';
import type { Scale } from './scale.ts';
import { Tooltip } from './tooltip.tsx';

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
