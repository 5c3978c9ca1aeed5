import { parseArgs } from 'node:util';
import type { FigureContext } from './figure.ts';
import { MESSAGE, readPeer } from './peer-options.ts';

/** The command line of the bench. */
export interface Options {
  /** The names of the figures, in the order of their measurements. Empty: none was named. */
  readonly figures: readonly string[];
  /** Continue an interrupted run. */
  readonly resume: boolean;
  /** The same for every figure. */
  readonly settings: Omit<FigureContext, 'step'>;
}

export const OPTIONS_USAGE =
  '[--quick] [--resume] [--minutes N] [--percent N] [--actions N] [--leads N] [--database NAME] [--part NAME] [--rounds N] [--connections N] [--peer URL] [--base REF]';

/** Reads the command line. Throws an error with the reason if it is wrong. */
export function readOptions(args: readonly string[], known: readonly string[]): Options {
  const { values, positionals: figures } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      percent: { type: 'string', default: '40' },
      actions: { type: 'string', default: '10000000' },
      leads: { type: 'string', default: '1000000' },
      database: { type: 'string' },
      part: { type: 'string' },
      rounds: { type: 'string' },
      connections: { type: 'string', default: '32' },
      peer: { type: 'string' },
      base: { type: 'string' },
      'peer-header': { type: 'string', multiple: true, default: [] },
      'peer-body': { type: 'string', default: MESSAGE },
      'peer-receiver-port': { type: 'string', default: '8099' },
      'peer-id-header': { type: 'string', default: 'webhook-id' },
      'peer-processes': { type: 'string', multiple: true, default: [] },
    },
  });
  const unknown = figures.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no figure is called ${unknown.join(', ')}`);
  const { quick, resume, database, base, part, minutes = quick ? '0.5' : '10', rounds } = values;
  const settings = {
    quick,
    minutes: above0('minutes', minutes),
    share: above0('percent', values.percent) / 100,
    actions: whole('actions', values.actions),
    leads: whole('leads', values.leads),
    database,
    base,
    part,
    rounds: rounds === undefined ? undefined : whole('rounds', rounds),
    connections: whole('connections', values.connections),
    peer: readPeer(values),
  };
  return { figures, resume, settings };
}

function above0(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0`);
  return number;
}

function whole(name: string, text: string): number {
  const number = above0(name, text);
  if (!Number.isInteger(number)) throw new Error(`--${name} must be a whole number`);
  return number;
}
