export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly Series[];
  /** The x axis is logarithmic. */
  readonly logX?: boolean;
}

const [WIDTH, HEIGHT] = [640, 360];
const BOX = { left: 64, right: 620, top: 44, bottom: 290 } as const;
const TICKS = 5;

/** Colours legible on light and dark pages. Dashes distinguish the curves without colour. */
const STYLES = [
  ['#2f81f7', ''],
  ['#d97706', '6 3'],
  ['#16a34a', '2 3'],
  ['#a855f7', '8 3 2 3'],
  ['#ef4444', '1 4'],
] as const;

/** Curves as an SVG file without script, font or background. The y axis begins at 0. Pure. */
export function lineChart({ title, xTitle, yTitle, series, logX = false }: Chart): string {
  const all = series.flatMap(({ points }) => points);
  const xs = all.map(([x]) => x);
  const along = (x: number) => (logX ? Math.log10(x) : x);
  const [from, to] = [along(Math.min(...xs)), along(Math.max(...xs))];
  const top = niceAbove(Math.max(...all.map(([, y]) => y), 0));
  const atX = (x: number) => BOX.left + ((along(x) - from) / (to - from || 1)) * (BOX.right - BOX.left);
  const atY = (y: number) => BOX.bottom - (y / top) * (BOX.bottom - BOX.top);
  const xTicks = logX ? [...new Set(xs)].sort((a, b) => a - b) : evenly(Math.min(...xs), Math.max(...xs));
  const parts = [
    text(title, WIDTH / 2, 22, 'middle', 15),
    ...evenly(0, top).map((y) => line(BOX.left, atY(y), BOX.right, atY(y))),
    ...evenly(0, top).map((y) => text(short(y), BOX.left - 8, atY(y) + 4, 'end')),
    ...xTicks.map((x) => text(short(x), atX(x), BOX.bottom + 18, 'middle')),
    text(xTitle, (BOX.left + BOX.right) / 2, BOX.bottom + 36, 'middle'),
    text(yTitle, BOX.left, BOX.top - 8, 'start'),
    ...series.map((one, i) => curve(one, i, atX, atY)),
    ...series.map(({ name }, i) => legend(name, i, series.length)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}" font-family="system-ui, sans-serif" font-size="12" fill="#808890">\n${parts.join('\n')}\n</svg>\n`;
}

function curve(
  { points }: Series,
  place: number,
  atX: (x: number) => number,
  atY: (y: number) => number,
): string {
  const [colour, dash] = STYLES[place % STYLES.length] as (typeof STYLES)[number];
  const path = points.map(([x, y]) => `${atX(x).toFixed(1)},${atY(y).toFixed(1)}`).join(' ');
  return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
}

function legend(name: string, place: number, of: number): string {
  const [colour, dash] = STYLES[place % STYLES.length] as (typeof STYLES)[number];
  const x = BOX.left + (place * (BOX.right - BOX.left)) / of;
  const sample = `<line x1="${x}" y1="${HEIGHT - 14}" x2="${x + 24}" y2="${HEIGHT - 14}" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
  return sample + text(name, x + 30, HEIGHT - 10, 'start');
}

function text(content: string, x: number, y: number, anchor: string, size = 12): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}">${escaped(content)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1}" y1="${y1.toFixed(1)}" x2="${x2}" y2="${y2.toFixed(1)}" stroke="#808890" stroke-opacity="0.3"/>`;
}

function evenly(from: number, to: number): number[] {
  return Array.from({ length: TICKS + 1 }, (_, i) => from + ((to - from) * i) / TICKS);
}

/** The next larger number that is 1, 2, 2.5 or 5 times a power of ten. */
function niceAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10);
}

function short(value: number): string {
  if (value >= 1e6) return `${+(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${+(value / 1e3).toFixed(1)}k` : String(+value.toFixed(1));
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
