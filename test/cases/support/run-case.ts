import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Run } from '../../cli/support.ts';
import { serve } from '../../support/serve.ts';
import type { ImportInstallation } from './use-import.ts';

export interface Step {
  readonly file: string;
  readonly time_zone?: string;
  readonly serve?: { readonly content_type?: string; readonly content_encoding?: string };
}

type Fields = Readonly<Record<string, unknown>>;

/** The result that a case asks for. Fields that are not named are not compared; '' means none. */
export interface Expected {
  readonly events: readonly Fields[];
  readonly bad: number;
  readonly note_about?: string;
  readonly when?: 'upcoming' | 'past';
}

export interface Case {
  readonly id: string;
  readonly about: string;
  readonly steps: readonly Step[];
  /** Any one of a list may hold. */
  readonly expect: Expected | readonly Expected[];
}

/** Imports the steps of a case into one new source. Returns what is not as expected, for each of the expectations. */
export async function runCase(at: ImportInstallation, folder: string, one: Case): Promise<string[][]> {
  const source = await at.addSource();
  const runs: Run[] = [];
  for (const step of one.steps) runs.push(await runStep(at, folder, source, step));
  const expected = [one.expect].flat() as Expected[];
  return Promise.all(expected.map((wanted) => faultsOf(at, source, { runs, wanted })));
}

async function runStep(at: ImportInstallation, folder: string, source: string, step: Step): Promise<Run> {
  const file = join(folder, step.file);
  const server = step.serve === undefined ? undefined : await serveFile(file, step.serve);
  const zone = step.time_zone === undefined ? [] : ['--time-zone', step.time_zone];
  try {
    return await at.run(['import', server?.url ?? file, '--source', source, ...zone, '--json']);
  } finally {
    await server?.close();
  }
}

async function serveFile(file: string, { content_type, content_encoding }: NonNullable<Step['serve']>) {
  const bytes = await readFile(file);
  const { url, close } = await serve((_request, response) => {
    if (content_type !== undefined) response.setHeader('content-type', content_type);
    if (content_encoding !== undefined) response.setHeader('content-encoding', content_encoding);
    response.end(content_encoding === 'gzip' ? gzipSync(bytes) : bytes);
  });
  return { url: `${url}/feed.ics`, close };
}

async function faultsOf(
  at: ImportInstallation,
  source: string,
  { runs, wanted }: { readonly runs: readonly Run[]; readonly wanted: Expected },
): Promise<string[]> {
  const last = runs.at(-1) as Run;
  const summary = last.rows.at(-1)?.summary as Fields | undefined;
  if (summary === undefined) return [`refused: ${last.stderr}`];
  const when = wanted.when === undefined ? [] : ['--when', wanted.when];
  const listed = await at.run(['events', 'list', '--source', source, ...when, '--json']);
  const faults = differences('the source holds', listed.rows, wanted.events);
  if (runs.length === 1 && wanted.when === undefined) {
    const told = last.rows.flatMap(({ event }) => (event == null ? [] : [event as Fields]));
    faults.push(...differences('the lines say', told, wanted.events));
  }
  if (summary.bad !== wanted.bad) faults.push(`bad is ${summary.bad}, not ${wanted.bad}`);
  if (last.code !== (wanted.bad > 0 ? 1 : 0)) faults.push(`exit ${last.code}: ${last.stderr}`);
  const said = JSON.stringify(last.rows.map(({ notes, errors }) => [notes, errors])).toLowerCase();
  const about = wanted.note_about?.toLowerCase().split('|');
  if (about !== undefined && !about.some((text) => said.includes(text)))
    faults.push(`no note about ${about.join(' or ')} in ${said}`);
  return faults;
}

function differences(what: string, found: readonly Fields[], wanted: readonly Fields[]): string[] {
  const left = [...found];
  const missing = wanted.filter((one) => {
    const index = left.findIndex((other) => matches(other, one));
    if (index === -1) return true;
    left.splice(index, 1);
    return false;
  });
  const faults = missing.map((one) => `${what} no ${JSON.stringify(one)}`);
  return [...faults, ...left.map((one) => `${what} ${JSON.stringify(one)} too`)];
}

function matches(found: Fields, wanted: Fields): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const text = found[name] ?? '';
    return name.endsWith('_at') && value !== ''
      ? Date.parse(String(text)) === Date.parse(String(value))
      : text === value;
  });
}
