import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
import { MESSAGE, peerForm, readPeer } from './support/peer-options.ts';
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
const USAGE = `usage: npm run bench -- [${Object.keys(FIGURES).join(' | ')} ...] [--quick] [--resume] [--minutes N] [--percent N] [--actions N] [--leads N] [--database NAME] [--part NAME] [--rounds N] [--peer URL] [--base REF]`;

/** A comparison with another commit is no figure of this one. */
const EVERY_FIGURE = Object.keys(FIGURES).filter((name) => name !== 'guard');

const OUT = 'data/bench';

const { values, positionals } = parseArgs({
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
    peer: { type: 'string' },
    base: { type: 'string' },
    'peer-header': { type: 'string', multiple: true, default: [] },
    'peer-body': { type: 'string', default: MESSAGE },
    'peer-receiver-port': { type: 'string', default: '8099' },
    'peer-id-header': { type: 'string', default: 'webhook-id' },
    'peer-processes': { type: 'string', multiple: true, default: [] },
  },
});
const unknown = positionals.filter((name) => !(name in FIGURES));
if (unknown.length > 0) {
  console.error(`no figure is called ${unknown.join(', ')}; ${USAGE}`);
  process.exit(2);
}
const { quick, resume, base, database, part } = values;
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const minutes = Number(values.minutes ?? (quick ? 0.5 : 10));
const share = Number(values.percent) / 100;
const actions = Number(values.actions);
const leads = Number(values.leads);
if (
  !(
    minutes > 0 &&
    share > 0 &&
    actions > 0 &&
    Number.isInteger(actions) &&
    leads > 0 &&
    Number.isInteger(leads) &&
    (rounds === undefined || (rounds > 0 && Number.isInteger(rounds)))
  )
) {
  console.error(
    `--minutes and --percent are numbers above 0, --actions and --leads and --rounds whole ones; ${USAGE}`,
  );
  process.exit(2);
}
const peer = readPeer(values);
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const failed: string[] = [];
for (const name of positionals.length > 0 ? positionals : EVERY_FIGURE) {
  console.error(`${name} (${machine}${quick ? ', quick: nothing to quote' : ''})`);
  try {
    const stores = { names: storesAtHand(), url: process.env.MONGO_URL };
    const form = JSON.stringify({
      machine,
      quick,
      minutes,
      share,
      actions,
      leads,
      database,
      peer: peer && peerForm(peer),
      base,
      stores,
    });
    const { step } = await openJournal(join(OUT, 'steps', `${name}.json`), form, resume);
    const result = await (FIGURES[name] as Figure)({
      quick,
      minutes,
      share,
      actions,
      leads,
      database,
      peer,
      base,
      part,
      rounds,
      step,
    });
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
