import { join } from 'node:path';
import { type End, runLocal } from './local-process.ts';
import { composeUp } from './local-stack.ts';
import { ROOT } from './root.ts';

/** A deployment as seen from outside: its address, and the settings with which `sluice` reads its stores. */
export interface Deployment {
  readonly eventsUrl: string;
  /** Runs `sluice`. Returns its standard output and error together. */
  sluice(...args: string[]): Promise<{ end: End; output: string }>;
  /** Runs `sluice … --json`. Returns the printed rows, or throws an error with the output. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests assert
  rows(...args: string[]): Promise<any[]>;
  close(): Promise<void>;
}

/** The variables of this process that `sluice` reads. Those of a composed deployment come from the file alone. */
const READ_BY_SLUICE = ['REDIS_URL', 'MONGO_URL', 'SLUICE_NAMESPACE', 'SLUICE_SECRET_KEY'];

/**
 * The deployment at SLUICE_TEST_EVENTS_URL. Without that variable, the services of docker-compose.yml are started here.
 */
export async function openDeployment(): Promise<Deployment> {
  const given = process.env.SLUICE_TEST_EVENTS_URL;
  if (given) {
    const env = Object.fromEntries(READ_BY_SLUICE.map((name) => [name, process.env[name] ?? '']));
    return deployment(given, env, async () => {});
  }
  const stack = await composeUp();
  const { SLUICE_TEST_EVENTS_URL: eventsUrl = '', ...env } = stack.environment('test');
  return deployment(eventsUrl, env, () => stack.close());
}

function deployment(eventsUrl: string, env: Record<string, string>, close: () => Promise<void>): Deployment {
  const cli = join(ROOT, 'services', 'cli', 'bin', 'sluice.mjs');
  const sluice = (...args: string[]) =>
    runLocal({ argv: [process.execPath, cli, ...args], env: { ...env, EVENTS_URL: eventsUrl } });
  return {
    eventsUrl,
    sluice,
    async rows(...args) {
      const { end, output } = await sluice(...args, '--json');
      if (end !== 0) throw new Error(`sluice ${args.join(' ')} ended with ${end}:\n${output}`);
      const lines = output.split('\n').filter((line) => line.startsWith('{'));
      return lines.map((line) => JSON.parse(line));
    },
    close,
  };
}
