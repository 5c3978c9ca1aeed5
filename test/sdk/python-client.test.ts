import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { newFolder } from '../support/folder.ts';
import { type ServedApi, serveApi } from './support/served-api.ts';

const run = promisify(execFile);
const ROOT = new URL('../../', import.meta.url).pathname;
const KEPT = join(homedir(), '.cache', 'sluice-openapi-generator');

/** The commands of docs/clients.md, so that the page and this test cannot part. */
async function commands(): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/clients.md'), 'utf8');
  const [, text = ''] = page.match(/^## Python\n.*?^```sh\n(.*?)^```/ms) ?? [];
  return text;
}

/** The jar that the page names, downloaded once. */
async function generator(url: string): Promise<string> {
  const path = join(KEPT, `${createHash('sha256').update(url).digest('hex').slice(0, 16)}.jar`);
  if (existsSync(path)) return path;
  const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  await mkdir(KEPT, { recursive: true });
  await writeFile(`${path}.${process.pid}`, Buffer.from(await response.arrayBuffer()));
  await rename(`${path}.${process.pid}`, path);
  return path;
}

describe('sdk: the Python client that openapi-generator makes', function () {
  this.timeout(400_000);
  const dir = newFolder();
  let served: ServedApi;
  before(async function () {
    const text = await commands();
    const [url = ''] = text.match(/https:\S+\.jar/) ?? [];
    let jar: string;
    try {
      await run('java', ['-version']);
      jar = await generator(url);
      await run('python3', ['-m', 'venv', join(dir, 'venv')]);
      // A small package that the client needs anyway: it shows whether PyPI can be reached.
      await run(join(dir, 'venv/bin/pip'), ['install', '--quiet', 'typing-extensions'], { timeout: 300_000 });
    } catch (error) {
      const said = String((error as { stderr?: string }).stderr || error);
      process.stderr.write(
        `The Python client is not run: Java, Python, Maven Central or PyPI is missing. ${said.trim().slice(-300)}\n`,
      );
      this.skip();
    }
    served = await serveApi();
    // The page downloads the jar; this test keeps it.
    const made = text.replace(/^curl .*\.jar.*$/m, `ln -s ${jar} openapi-generator-cli.jar`);
    const PATH = `${join(dir, 'venv/bin')}:${process.env.PATH}`;
    const env = { ...process.env, PATH, SLUICE_URL: served.url };
    const options = { cwd: dir, env, timeout: 300_000, maxBuffer: 1 << 26 };
    await run('bash', ['-euo', 'pipefail', '-c', made], options);
  });
  after(() => served?.close());

  it('creates, lists, changes and moves leads, reads problems, and parses a message by its kind', async () => {
    const key = await served.addKey(await served.api.addAccount());
    const env = { ...process.env, SLUICE_URL: served.url, SLUICE_API_KEY: key };
    const program = join(ROOT, 'test/sdk/programs/leads.py');
    const { stdout } = await run(join(dir, 'venv/bin/python'), [program], { env });
    expect(JSON.parse(stdout)).to.deep.equal({
      names: ['Lead 0', 'Lead 1', 'Lead 2'],
      budget: 1202,
      company: 'Acme',
      stage: 'stg_contacted',
      status: 404,
      code: 'not_found',
      type: 'lead.created',
      sample: 'ada@example.com',
    });
  });

  it('sleeps for Retry-After and repeats a GET, unless retries is 0', async () => {
    const key = await served.addKey(await served.api.addAccount());
    const env = { ...process.env, SLUICE_URL: served.front.url, SLUICE_API_KEY: key };
    const program = join(ROOT, 'test/sdk/programs/busy.py');
    const seen: Record<string, { status: string; requests: number }> = {};
    for (const [name, options] of Object.entries({ default: [], 'retries=0': ['0'] })) {
      served.front.passed.length = 0;
      served.front.deeds = [{ status: 429, headers: { 'retry-after': '1' } }];
      const { stdout } = await run(join(dir, 'venv/bin/python'), [program, ...options], { env });
      seen[name] = { status: stdout.trim(), requests: served.front.passed.length };
    }
    expect(seen).to.deep.equal({
      default: { status: '404', requests: 2 },
      'retries=0': { status: '429', requests: 1 },
    });
  });
});
