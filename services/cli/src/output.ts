import { styleText } from 'node:util';
import { printable, printableLines, withoutUnseen } from '@sluice/runtime/telemetry/printable';

/** A value of a row. --json prints it as JSON, a table as text. */
export type Cell = string | number | boolean | null | object;
export type Row = Readonly<Record<string, Cell>>;

/** Colours the shown text of a cell. */
export type PaintCell = (name: string, text: string) => string;

export interface Output {
  /** Prints data to stdout: with --json one object per line as rows arrive, else a table of these columns. */
  rows(rows: AsyncIterable<Row> | Iterable<Row>, columns: readonly string[]): Promise<void>;
  /** Prints data to stdout: with --json one object on a line, else one line per field. */
  record(row: Row): void;
  /** Prints one row at once: with --json as an object, else its cells on one line. For rows that come over time. */
  line(row: Row, columns: readonly string[], paintCell?: PaintCell): void;
  /** Prints one line to stdout. The caller escapes control characters, because the line may have colours. */
  text(line: string): void;
  /** Whether stdout still has a reader. */
  isRead(): boolean;
  /** Prints the counts behind rows: with --json an object {"summary":…} to stdout, else a line to stderr. */
  summary(counts: Readonly<Record<string, number>>): void;
  /** Prints a message to stderr. */
  note(text: string): void;
}

export interface OutputStreams {
  /** `writable` is false once the reader has closed the pipe. */
  readonly stdout: { write(text: string): unknown; readonly writable?: boolean; hasColors?(): boolean };
  readonly stderr: { write(text: string): unknown };
}

export function createOutput({ stdout, stderr }: OutputStreams, { json }: { json: boolean }): Output {
  const printJson = (row: Row) => void stdout.write(`${printable(JSON.stringify(row))}\n`);
  return {
    async rows(rows, columns) {
      const kept: Row[] = [];
      for await (const row of rows) {
        if (stdout.writable === false) return;
        if (json) printJson(row);
        else kept.push(row);
      }
      if (json) return;
      if (kept.length === 0) stderr.write('Nothing to show.\n');
      else stdout.write(table(kept, columns));
    },
    record(row) {
      if (json) return printJson(row);
      const width = Math.max(...Object.keys(row).map((name) => name.length));
      for (const [name, cell] of Object.entries(row)) stdout.write(`${name.padEnd(width)}  ${shown(cell)}\n`);
    },
    line(row, columns, paintCell = (_name, text) => text) {
      if (json) return printJson(row);
      stdout.write(`${columns.map((name) => paintCell(name, shown(row[name] ?? null))).join('  ')}\n`);
    },
    text: (line) => void stdout.write(`${line}\n`),
    isRead: () => stdout.writable !== false,
    summary(counts) {
      if (json) return printJson({ summary: counts });
      const words = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`);
      stderr.write(`${words.join(', ')}\n`);
    },
    note: (text) => void stderr.write(`${printableLines(text)}\n`),
  };
}

function table(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name, n) => cut(shown(row[name] ?? null), n === columns.length - 1))),
  ];
  const widths = columns.map((_, n) => Math.max(...lines.map((line) => (line[n] ?? '').length)));
  return lines
    .map(
      (line) =>
        `${line
          .map((text, n) => text.padEnd(widths[n] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/**
 * Cuts long texts, because a title of 500 characters would push the other columns off the screen. Not in the last
 * column.
 */
function cut(text: string, isLast: boolean): string {
  const characters = isLast ? [] : [...text];
  return characters.length > WIDEST ? `${characters.slice(0, WIDEST - 1).join('')}…` : text;
}

const WIDEST = 64;

function isEmpty(cell: Exclude<Cell, null>): boolean {
  return typeof cell === 'object' && Object.keys(cell).length === 0;
}

function shown(cell: Cell): string {
  if (cell === null || isEmpty(cell)) return '-';
  const text = Array.isArray(cell)
    ? cell.join(',')
    : typeof cell === 'object'
      ? JSON.stringify(cell)
      : String(cell);
  // Senders write the titles.
  return withoutUnseen(text);
}

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** Colours a text, or returns it unchanged. */
export type Paint = (colour: Colour, text: string) => string;

/** Colours only what a terminal shows. Node respects NO_COLOR, NODE_DISABLE_COLORS and TERM=dumb. */
export function createPaint(stream: { hasColors?: () => boolean }): Paint {
  const coloured = stream.hasColors?.() === true;
  return (colour, text) => (coloured ? styleText(colour, text, { validateStream: false }) : text);
}

/** The colour of an HTTP status; null: no response. */
export function colourOf(status: number | null): Colour {
  if (status === null || status >= 500) return 'red';
  return status < 300 ? 'green' : 'yellow';
}
