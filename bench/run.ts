import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { apiFigure } from './figures/api.ts';
import { drainFigure } from './figures/drain.ts';
import { endToEndFigure } from './figures/end-to-end.ts';
import { growthFigure } from './figures/growth.ts';
import { guardFigure } from './figures/guard.ts';
import { idleFigure } from './figures/idle.ts';
import { ingressFigure } from './figures/ingress.ts';
import { lagFigure } from './figures/lag.ts';
import { leadsFigure } from './figures/leads.ts';
import { memoryFigure } from './figures/memory.ts';
import { millionsFigure } from './figures/millions.ts';
import { outboundFigure } from './figures/outbound.ts';
import { profileFigure } from './figures/profile.ts';
import { scaleFigure } from './figures/scale.ts';
import type { Figure, FigureResult } from './support/figure.ts';
import { openJournal } from './support/journal.ts';
import { OPTIONS_USAGE, type Options, readOptions } from './support/options.ts';
import { peerForm } from './support/peer-options.ts';
import { killAll } from './support/processes.ts';
import { storesAtHand } from './support/store.ts';

const FIGURES: Readonly<Record<string, Figure>> = {
  ingress: ingressFigure,
  'end-to-end': endToEndFigure,
  lag: lagFigure,
  drain: drainFigure,
  idle: idleFigure,
  growth: growthFigure,
  scale: scaleFigure,
  api: apiFigure,
  leads: leadsFigure,
  outbound: outboundFigure,
  memory: memoryFigure,
  millions: millionsFigure,
  profile: profileFigure,
  guard: guardFigure,
};
const USAGE = `usage: npm run bench -- [${Object.keys(FIGURES).join(' | ')} ...] ${OPTIONS_USAGE}`;

/** A comparison with another commit is no figure of this one. */
const EVERY_FIGURE = Object.keys(FIGURES).filter((name) => name !== 'guard');

const OUT = 'data/bench';

const { figures, resume, settings } = optionsOrExit();
const { quick } = settings;
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const failed: string[] = [];
for (const name of figures.length > 0 ? figures : EVERY_FIGURE) {
  console.error(`${name} (${machine}${quick ? ', quick: nothing to quote' : ''})`);
  try {
    const { step } = await openJournal(join(OUT, 'steps', `${name}.json`), formOf(settings), resume);
    const result = await (FIGURES[name] as Figure)({ ...settings, step });
    await publish(name, result);
    if (result.failure !== undefined) throw new Error(result.failure);
  } catch (error) {
    failed.push(name);
    console.error(`\n${name} FAILED: ${error instanceof Error ? error.stack : error}`);
    killAll();
  }
}
if (failed.length > 0) {
  console.error(`FAILED: ${failed.join(', ')}. What was measured is kept: --resume goes on from there.`);
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

/** Distinguishes the forms of a figure: `--resume` measures the steps of another form again. */
function formOf({ part: _part, rounds: _rounds, peer, ...form }: Options['settings']): string {
  const stores = { names: storesAtHand(), url: process.env.MONGO_URL };
  return JSON.stringify({ machine, ...form, peer: peer && peerForm(peer), stores });
}

/** Prints the tables and writes all results. The documentation shows the curves of the long form. */
async function publish(name: string, { tables, data, charts = {} }: FigureResult): Promise<void> {
  for (const { title, text } of tables) console.log(`\n${title}\n\n${text}`);
  const drawings = quick ? OUT : 'docs/figures';
  await mkdir(OUT, { recursive: true });
  await writeFile(
    join(OUT, `${name}.json`),
    `${JSON.stringify({ machine, quick, at: new Date().toISOString(), tables, data }, null, 2)}\n`,
  );
  await mkdir(drawings, { recursive: true });
  for (const [file, svg] of Object.entries(charts)) await writeFile(join(drawings, file), svg);
  console.error(
    `\nwritten to ${OUT}/${name}.json${Object.keys(charts)
      .map((file) => `, ${drawings}/${file}`)
      .join('')}`,
  );
}
