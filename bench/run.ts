import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { apiFigure } from './figures/api.ts';
import { endToEndFigure } from './figures/end-to-end.ts';
import { guardFigure } from './figures/guard.ts';
import { ingressFigure } from './figures/ingress.ts';
import { leadsFigure } from './figures/leads.ts';
import { mappedFigure } from './figures/mapped.ts';
import { outboundFigure } from './figures/outbound.ts';
import type { Figure, FigureResult } from './support/figure.ts';
import { OPTIONS_USAGE, type Options, readOptions } from './support/options.ts';
import { killAll } from './support/processes.ts';

const FIGURES: Readonly<Record<string, Figure>> = {
  ingress: ingressFigure,
  'end-to-end': endToEndFigure,
  api: apiFigure,
  leads: leadsFigure,
  mapped: mappedFigure,
  outbound: outboundFigure,
  guard: guardFigure,
};
const USAGE = `usage: npm run bench -- [${Object.keys(FIGURES).join(' | ')} ...] ${OPTIONS_USAGE}`;

/** A comparison with another commit is no figure of this one. */
const EVERY_FIGURE = Object.keys(FIGURES).filter((name) => name !== 'guard');

const OUT = 'data/bench';

const { figures, context } = optionsOrExit();
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const failed: string[] = [];
for (const name of figures.length > 0 ? figures : EVERY_FIGURE) {
  console.error(`${name} (${machine}${context.quick ? ', quick: nothing to quote' : ''})`);
  try {
    const result = await (FIGURES[name] as Figure)(context);
    await publish(name, result);
    if (result.failure !== undefined) throw new Error(result.failure);
  } catch (error) {
    failed.push(name);
    console.error(`\n${name} FAILED: ${error instanceof Error ? error.stack : error}`);
    killAll();
  }
}
if (failed.length > 0) {
  console.error(`FAILED: ${failed.join(', ')}`);
  process.exit(1);
}

function optionsOrExit(): Options {
  try {
    return readOptions(process.argv.slice(2), Object.keys(FIGURES));
  } catch (error) {
    console.error(`${(error as Error).message}; ${USAGE}`);
    process.exit(2);
  }
}

/** Prints the tables and writes all results. */
async function publish(name: string, { tables, data }: FigureResult): Promise<void> {
  for (const { title, text } of tables) console.log(`\n${title}\n\n${text}`);
  const result = { machine, quick: context.quick, at: new Date().toISOString(), tables, data };
  await mkdir(OUT, { recursive: true });
  await writeFile(join(OUT, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  console.error(`\nwritten to ${OUT}/${name}.json`);
}
