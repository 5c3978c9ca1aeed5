import { parseArgs } from 'node:util';
import type { FigureContext } from './figure.ts';

/** The command line of the bench. */
export interface Options {
  /** The names of the figures, in the order of their measurements. Empty: none was named. */
  readonly figures: readonly string[];
  readonly context: FigureContext;
}

export const OPTIONS_USAGE =
  '[--quick] [--rounds N] [--part NAME] [--connections N] [--leads N] [--database NAME] [--base REF]';

/** Reads the command line. Throws an error with the reason if it is wrong. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals: figures } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      part: { type: 'string' },
      connections: { type: 'string', default: '32' },
      leads: { type: 'string', default: '1000000' },
      database: { type: 'string' },
      base: { type: 'string' },
    },
  });
  const unknown = figures.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no figure is called ${unknown.join(', ')}`);
  const { quick, rounds, part, connections, leads, database, base } = values;
  const context = {
    quick,
    part,
    database,
    base,
    rounds: rounds === undefined ? undefined : whole('rounds', rounds),
    connections: whole('connections', connections),
    leads: whole('leads', leads),
  };
  return { figures, context };
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (!(Number.isInteger(number) && number > 0)) throw new Error(`--${name} must be a whole number above 0`);
  return number;
}
