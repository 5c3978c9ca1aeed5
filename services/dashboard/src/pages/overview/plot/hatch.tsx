import type { Series } from '../series.ts';

/** Rejections are hatched, each at another angle, because not everybody can tell their colours apart. */
export function Hatch({ id, series: { color, hatch } }: { readonly id: string; readonly series: Series }) {
  if (hatch === undefined) return null;
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform={`rotate(${hatch})`}>
      <rect width="6" height="6" fill={color} />
      <line x1="0" x2="6" y1="0.75" y2="0.75" stroke="var(--surface)" strokeWidth="1.5" />
    </pattern>
  );
}
