import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { ingressFigure } from './figures/ingress.ts';

/** `npm run bench`, or with fewer rounds and seconds for a first look: `npm run bench -- 1 4`. */
const [rounds = 3, seconds = 8] = process.argv.slice(2).map(Number);

const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
console.error(`ingress: ${rounds} rounds of ${seconds} s each way (${machine})`);
const ingress = await ingressFigure({ rounds, seconds });
console.log(ingress.table);

await mkdir('data', { recursive: true });
await writeFile(
  'data/bench.json',
  `${JSON.stringify({ machine, rounds, seconds, ingress: ingress.runs }, null, 2)}\n`,
);
console.error('written to data/bench.json');
