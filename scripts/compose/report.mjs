import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { stripVTControlCharacters } from 'node:util';

const BEGIN = '<!-- Written by `npm run test:compose -- --report` -->';
const END = '<!-- End of the report -->';

/** Keeps what this process prints from now on. Returns a function that returns it, without colours. */
export function keepOutput() {
  let output = '';
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (text, ...rest) => {
    output += text;
    return write(text, ...rest);
  };
  return () => stripVTControlCharacters(output);
}

/** Replaces what is between the two markers of a page. Throws if the page has none. */
export async function writeReport(page, { output, engine, since }) {
  const text = await readFile(page, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${page} has no line ${BEGIN} before a line ${END}`);
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line, index, all) => line !== '' || all[index - 1] !== '');
  const report = [
    BEGIN,
    '',
    `${await machine()}, ${engine}. Started at ${new Date(since).toISOString().slice(0, 16)}Z, took ${minutes(since)}.`,
    `The load average of its last 15 minutes was ${loadavg()[2].toFixed(1)}.`,
    '',
    '```text',
    lines.join('\n').trim(),
    '```',
    '',
    '',
  ].join('\n');
  await writeFile(page, text.slice(0, begin) + report + text.slice(end));
}

async function machine() {
  const system = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="(.*)"$/m.exec(system)?.[1] ?? process.platform;
  return `${name}, ${availableParallelism()} CPUs`;
}

const minutes = (since) => `${Math.round((Date.now() - since) / 60_000)} minutes`;
