import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../docs/support.ts';

/** A deployment as seen from outside: its address, and the settings with which `sluice` reads its stores. */
export interface Deployment {
  readonly eventsUrl: string;
  /** Runs `sluice`. Returns its standard output and error together. */
  sluice(...args: string[]): { end: number | null; output: string };
  /** Runs `sluice … --json`. Returns the printed rows, or throws an error with the output. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
  rows(...args: string[]): any[];
}

const CLI = join(ROOT, 'services', 'cli', 'bin', 'sluice.mjs');

/** The deployment at SLUICE_TEST_EVENTS_URL, whose stores the variables of this process name. */
export function openDeployment(): Deployment {
  const eventsUrl = process.env.SLUICE_TEST_EVENTS_URL;
  if (eventsUrl === undefined) throw new Error('SLUICE_TEST_EVENTS_URL names no deployment');
  const sluice = (...args: string[]) => {
    const env = { ...process.env, EVENTS_URL: eventsUrl };
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { env, encoding: 'utf8' });
    return { end: status, output: `${stdout}${stderr}` };
  };
  return {
    eventsUrl,
    sluice,
    rows(...args) {
      const { end, output } = sluice(...args, '--json');
      if (end !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${end}:\n${output}`);
      const lines = output.split('\n').filter((line) => line.startsWith('{'));
      return lines.map((line) => JSON.parse(line));
    },
  };
}
