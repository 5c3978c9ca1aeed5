import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { startIngress, type TestIngress, type TestSource } from '../support/ingress.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { isInstalled, openSlowLink, type SlowLink, whyNoSlowLink } from './support/slow-link.ts';

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** A real HTTP client: its program, and its arguments for a body of a size. */
interface Client {
  readonly program: string;
  args(url: string, bytes: number, type: string): readonly string[];
}

const script = (program: string, ...first: string[]): Client => ({
  program,
  args: (url, bytes, type) => [...first, url, String(bytes), type],
});

/** Three times more than the largest body that is accepted. */
const BYTES = 1_100_000;
const BODY = join(tmpdir(), `sluice-slow-line-${process.pid}`);

const curl = (...more: string[]): Client => ({
  program: 'curl',
  args: (url, _, type) => [
    ...['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Content-Type: ${type}`],
    ...['--data-binary', `@${BODY}`, ...more, url],
  ],
});

const CLIENTS: Readonly<Record<string, Client>> = {
  "Python's http.client": script('python3', file('post-http-client.py')),
  "Python's urllib": script('python3', file('post-urllib.py')),
  "Java's HttpURLConnection": script('java', file('Post.java')),
  "Node's http": script(process.execPath, file('post-node.mjs')),
  curl: curl(),
  'curl that expects no 100': curl('-H', 'Expect:'),
};

const reason = whyNoSlowLink();
if (reason !== undefined) reportNotRun(`tests over a slow line (${reason})`, ['a slow line']);

describe('ingress: a response that comes before the body is read, over a slow line', function () {
  this.timeout(120_000);
  let ingress: TestIngress;
  let source: TestSource;
  let link: SlowLink;
  before(async function () {
    if (reason !== undefined) this.skip();
    // The share of each of the clients is 2 Mbit/s.
    link = await openSlowLink('12mbit', '300ms').catch((error: Error) => {
      reportNotRun(`tests over a slow line (${error.message})`, ['a slow line']);
      this.skip();
    });
    await writeFile(BODY, 'x'.repeat(BYTES));
    ingress = await startIngress({ host: link.host });
    source = await ingress.addSource();
  });
  after(async () => {
    await ingress?.close();
    await link?.close();
    await rm(BODY, { force: true });
  });

  for (const [status, type] of [
    [413, 'application/json'],
    [415, 'text/plain'],
  ] as const)
    it(`${status}: each client reads it, also those that send the whole body first`, async () => {
      const used = Object.entries(CLIENTS).filter(([, { program }]) => isInstalled(program));
      const url = ingress.url + source.path;
      const found = await Promise.all(
        used.map(async ([name, { program, args }]) => {
          const output = await link.exec(program, args(url, BYTES, type));
          return [name, output.trim()];
        }),
      );
      expect(Object.fromEntries(found)).to.deep.equal(
        Object.fromEntries(used.map(([name]) => [name, String(status)])),
      );
    });
});
