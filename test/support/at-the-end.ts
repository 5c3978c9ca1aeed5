import { ofTheRun } from './of-the-run.ts';

const closings = ofTheRun('closings', (): (() => Promise<void>)[] => []);

/** Registers a close function that runs after the last test, in a worker of `mocha --parallel` after the last of each file. */
export function atTheEnd(close: () => Promise<void>): void {
  closings.push(close);
}

/** The same for what the files of a process share. A worker of `mocha --parallel` keeps it, and root-hooks.ts ends it with the worker. */
export function atTheEndOfTheProcess(close: () => Promise<void>): void {
  if (process.env.MOCHA_WORKER_ID === undefined) atTheEnd(close);
}

/** Called by the root hooks only. */
export async function closeAtTheEnd(): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}
