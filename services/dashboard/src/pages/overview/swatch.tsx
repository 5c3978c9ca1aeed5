import { useId } from 'react';
import classes from './overview.module.css';
import { Hatch } from './plot/hatch.tsx';
import type { Series } from './series.ts';

/** How a series looks in the chart. A hatched one has the pattern of its bars. */
export function Swatch({ series }: { readonly series: Series }) {
  const { color, dash, hatch } = series;
  const id = useId();
  if (dash !== undefined)
    return (
      <svg width="17" height="8" aria-hidden="true">
        <line x1="0" x2="17" y1="4" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
      </svg>
    );
  if (hatch === undefined)
    return <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />;
  return (
    <svg className={classes.swatch} aria-hidden="true">
      <defs>
        <Hatch id={id} series={series} />
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
