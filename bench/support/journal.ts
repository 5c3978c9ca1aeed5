import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FigureContext } from './figure.ts';
import { killAll } from './processes.ts';

export type Journal = Pick<FigureContext, 'step'>;

/** Timeout of a step without an expected duration. It is far beyond any of them, so a longer step hangs. */
const STEP_LIMIT_MINUTES = 40;

/**
 * Runs steps and stores their results, so that an interrupted run can continue. `key` distinguishes the forms of a
 * figure: steps of another form are measured again.
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
      // A rename replaces the file at once, so a run that is killed while writing leaves the previous one.
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
