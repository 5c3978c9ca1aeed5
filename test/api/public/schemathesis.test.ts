import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApi, type TestApi } from '../../support/api.ts';
import { addKey } from '../../support/api-processes.ts';
import { newFolder } from '../../support/folder.ts';
import { sized } from '../../support/size.ts';

const run = promisify(execFile);
const TOOL = 'schemathesis==4.32.5';
/** Ends a stream after its first bytes. The tool reads each response to its end, and a stream has none. */
function endSoon(response: ServerResponse): void {
  const write = response.write.bind(response) as (chunk: unknown) => boolean;
  response.write = (chunk: unknown) => {
    setImmediate(() => response.end());
    return write(chunk);
  };
}

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
].join();

describe('public API: requests that schemathesis makes from openapi.json', function () {
  this.timeout(600_000);
  const dir = newFolder();
  let api: TestApi;
  before(async function () {
    try {
      await run('python3', ['-m', 'venv', dir]);
      await run(join(dir, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', TOOL], {
        timeout: 300_000,
      });
    } catch {
      process.stderr.write(`${TOOL} is not run: Python, its venv module or PyPI is not available here.\n`);
      this.skip();
    }
    api = await startApi({ config: { KEY_RATE_BURST: 1_000_000, KEY_RATE_PER_MINUTE: 1_000_000 } });
  });
  after(() => api?.close());

  it('get no 5xx, and only documented statuses and shapes', async () => {
    const accountId = await api.addAccount();
    const key = await addKey(api, accountId);
    const server = createServer((request, response) => {
      if (new URL(request.url ?? '', 'http://localhost').pathname.endsWith('/stream')) endSoon(response);
      api.app(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['run', `${url}/openapi.json`, '--url', url, '--include-path-regex', '^/api/public'];
    args.push('--header', `Authorization: Bearer ${key}`, '--checks', CHECKS, '--phases', 'coverage,fuzzing');
    // It learns the ids of subscriptions from Location. No dispatcher runs here, so a test of one may wait 17 s.
    args.push('--request-timeout', '30');
    args.push('--generation-deterministic', '--no-color', '--warnings', 'off');
    args.push('--max-examples', String(sized({ short: 10, middle: 20, long: 200 })));
    await run(join(dir, 'bin/st'), args, { cwd: dir, maxBuffer: 1 << 26 })
      .catch(({ stdout }: { stdout?: string }) => {
        throw new Error(stdout?.slice(-6000));
      })
      .finally(() => {
        server.close();
        server.closeAllConnections();
      });
  });
});
