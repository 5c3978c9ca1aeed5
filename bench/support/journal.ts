import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FigureContext } from './figure.ts';
import { killAll } from './processes.ts';

export type Journal = Pick<FigureContext, 'step'>;

/** Far beyond what any step takes that does not say how long it may: what takes longer hangs. */
const STEP_LIMIT_MINUTES = 40;

/**
 * Runs steps and keeps what each measured, so that a run that was broken off goes on where it was. `key` tells the
 * forms of a figure apart: steps of another form are measured anew.
 */
export async function openJournal(file: string, key: string, resume: boolean): Promise<Journal> {
  const kept = resume ? await readKept(file, key) : {};
  return {
    async step<T>(name: string, measure: () => Promise<T>, minutes = 0): Promise<T> {
      if (name in kept) {
        process.stderr.write(`  ${name}: kept from before\n`);
        return kept[name] as T;
      }
      const since = performance.now();
      process.stderr.write(`  ${name} …`);
      const result = await inTime(name, measure(), STEP_LIMIT_MINUTES + minutes);
      process.stderr.write(` ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
      kept[name] = result;
      await mkdir(dirname(file), { recursive: true });
      // Renamed into its place: a run that is killed while writing leaves the one before.
      await writeFile(`${file}.new`, JSON.stringify({ key, kept }));
      await rename(`${file}.new`, file);
      return result;
    },
  };
}

async function readKept(file: string, key: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return {};
  const journal = JSON.parse(text) as { key: string; kept: Record<string, unknown> };
  return journal.key === key ? journal.kept : {};
}

async function inTime<T>(name: string, measuring: Promise<T>, minutes: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      killAll();
      reject(new Error(`${name} took longer than ${minutes} minutes`));
    }, minutes * 60_000);
  });
  try {
    return await Promise.race([measuring, late]);
  } finally {
    clearTimeout(timer);
  }
}
