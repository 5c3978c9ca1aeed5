import classes from './overview.module.css';
import type { Series } from './series.ts';

/** How a series looks in the chart. */
export function Swatch({ series: { color, dash, hatch } }: { readonly series: Series }) {
  if (hatch !== undefined) {
    const stripes = `repeating-linear-gradient(${hatch + 90}deg, ${color} 0 3px, var(--surface) 3px 4.5px)`;
    return <span className={classes.swatch} style={{ background: stripes }} aria-hidden="true" />;
  }
  if (dash === undefined)
    return <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />;
  return (
    <svg width="17" height="8" aria-hidden="true">
      <line x1="0" x2="17" y1="4" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
    </svg>
  );
}
