import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post } from '../../support/post.ts';
import { processesOf } from '../../support/processes-of.ts';
import { watch } from '../../support/run-script.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { until } from '../../support/until.ts';
import { ROOT } from './npm-start.ts';

/** A DATA_DIR for each test. Processes that use it end with the test. */
export function useDataDir() {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'sluice-start-'));
  });
  afterEach(() => {
    for (const { pid } of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  const titles = async (url: string): Promise<string[]> => {
    const source = url.split('/').at(-1) ?? '';
    const args = ['services/cli/bin/sluice.mjs', 'events', 'list', '--json', '--source', source];
    const env = { ...process.env, DATA_DIR: dataDir };
    const list = watch(spawn(process.execPath, args, { cwd: ROOT, env }));
    if ((await list.ended) !== 0) throw new Error(list.lines.join('\n'));
    return list.lines.map((line) => (JSON.parse(line) as { title: string }).title).sort();
  };
  return {
    path: () => dataDir,
    /** Sends an upsert to the demo source, signed with the secret file beside the data. */
    send: (url: string, title: string) => {
      const secret = readFileSync(join(dataDir, 'demo-signing-secret'), 'utf8').trim();
      return post(url, signed({ secret, body: upsertBody({ title }) }));
    },
    /** The titles of the source's events, from `sluice events list`. */
    titles,
    applied: (url: string, wanted: readonly string[]) =>
      until(async () => (await titles(url)).join() === wanted.join(), {
        withinMs: 90_000,
        what: `events ${wanted}`,
      }),
    allEnded: () => until(() => processesOf(dataDir).length === 0, { what: 'no process is left' }),
  };
}
