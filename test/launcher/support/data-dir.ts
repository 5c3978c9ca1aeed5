import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sluice } from '../../cli/support.ts';
import { newFolder } from '../../support/folder.ts';
import { post } from '../../support/post.ts';
import { processesOf } from '../../support/processes-of.ts';
import { signed, upsertBody } from '../../support/signed.ts';
import { until } from '../../support/until.ts';

/** A DATA_DIR for the tests of a describe block. Processes that use it end with the last test. */
export function useDataDir() {
  let dataDir: string;
  before(() => {
    dataDir = newFolder();
  });
  after(() => {
    for (const { pid } of processesOf(dataDir)) process.kill(pid, 'SIGKILL');
  });

  const titles = async (url: string): Promise<string[]> => {
    const source = url.split('/').at(-1) ?? '';
    const args = ['events', 'list', '--json', '--source', source];
    const { code, stderr, rows } = await sluice(args, { env: { DATA_DIR: dataDir } });
    if (code !== 0) throw new Error(stderr);
    return rows.map(({ title }) => String(title)).sort();
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
