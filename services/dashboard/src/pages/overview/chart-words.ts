const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** How a tick of the time axis reads. */
function axisTime(at: string, range: string): string {
  return (range === '1h' || range === '24h' ? time : day).format(new Date(at));
}

/** How every axis looks. */
export const AXIS = { tickLine: false, axisLine: false, tick: { fill: 'var(--mantine-color-dimmed)' } };

/** The time axis under every chart over `range`. */
export function timeAxis(range: string) {
  return {
    ...AXIS,
    dataKey: 'at',
    tickFormatter: (at: string) => axisTime(at, range),
    minTickGap: 48,
    axisLine: { stroke: 'var(--line-strong)' },
  };
}

export const TOOLTIP_STYLE = {
  contentStyle: {
    background: 'var(--surface-raised)',
    border: '1px solid var(--line-strong)',
    borderRadius: 8,
    fontSize: '0.8125rem',
  },
  isAnimationActive: false,
};

/** How a point looks that has no line. */
export const DOT = { r: 2.5, strokeDasharray: '0' };

/** A line needs two points; fewer are drawn as dots. */
export function isolated(points: readonly Readonly<Record<string, unknown>>[], key: string): boolean {
  return points.filter((point) => point[key] !== null).length < 2;
}
