import { ofTheRun } from './of-the-run.ts';

const closings = ofTheRun('closings', (): (() => Promise<void>)[] => []);

/** Registers a close function that runs after the last test of the run, for resources that several files share. */
export function atTheEnd(close: () => Promise<void>): void {
  closings.push(close);
}

/** Called by the root hooks only. */
export async function closeAtTheEnd(): Promise<void> {
  for (let close = closings.pop(); close !== undefined; close = closings.pop()) await close();
}
