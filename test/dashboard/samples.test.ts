import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseConversationText } from '@sluice/contract/conversation/parse-conversation';
import { parseAction } from '@sluice/contract/event/parse-bytes';
import { expect } from 'chai';
import type { Sample } from '../../services/dashboard/src/samples/sample.ts';
import {
  PLAIN_SAMPLES,
  SAMPLES,
  sampleEvent,
  sampleMessage,
} from '../../services/dashboard/src/samples/samples.ts';
import { run, runInShell } from '../browser/support/shell.ts';
import { verify } from '../browser/support/verify.ts';
import { isInstalled } from '../docs/support.ts';
import { newFolder } from '../support/folder.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { serve } from '../support/serve.ts';
import { use } from '../support/use.ts';

const SECRET = 'whsec_4fJ2kLm9QpRs7TuVwXyZ1aBcDeFgHiJkLmNoPqRsTuV';
const STARTS_AT = '2027-03-01T18:00:00+01:00';
/** With the title of a user, who knows the escapes of JSON and no others. */
const RETITLED = sampleEvent(STARTS_AT).replace('Open day', 'L\'été \\"Ü\\" #{1} $x \\\\o/ 日本');
const PROGRAMS: Record<string, string> = {
  curl: 'curl',
  node: 'node',
  python: 'python3',
  php: 'php',
  go: 'go',
  ruby: 'ruby',
  sluice: 'npx',
};
const COMPILING_MS = 60_000;

describe('dashboard: code samples', () => {
  const server = use(() =>
    serve(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const ok = request.method === 'POST' && verify(request.headers, body, SECRET);
      received.push({ ok, body });
      response.writeHead(ok ? 200 : 401, { 'content-type': 'application/json' }).end('{"ok":true}');
    }),
  );
  let endpointUrl: string;
  let received: { ok: boolean; body: Buffer }[] = [];
  before(async () => {
    endpointUrl = `${server.url}/api/v1/events/webhook/src_x`;
  });
  beforeEach(() => {
    received = [];
  });

  const installed = SAMPLES.filter(({ id }) => isInstalled(PROGRAMS[id] as string));
  const missing = SAMPLES.filter((sample) => !installed.includes(sample));
  reportNotRun(
    'samples',
    missing.map(({ label }) => label),
  );
  for (const sample of installed) {
    it(`${sample.label}: the pasted code sends a signed upsert with any title, with the secret from the environment or inserted`, async function () {
      this.timeout(COMPILING_MS);
      for (const secret of [null, SECRET]) {
        const body = secret === null ? sampleEvent(STARTS_AT) : RETITLED;
        const code = sample.code({ endpointUrl, secret, body });
        const ran = await execute(sample, code, secret === null ? { SLUICE_SIGNING_SECRET: SECRET } : {});
        expect(ran.stdout, ran.stderr).to.contain('200');
      }
      expect(received.map(({ ok }) => ok)).to.deep.equal([true, true]);
      for (const { body } of received) expect(parseAction(body).outcome).to.equal('valid');
      expect(JSON.parse(received[1]?.body.toString() ?? '')).to.deep.include(JSON.parse(RETITLED));
    });

    if (PLAIN_SAMPLES.includes(sample))
      it(`${sample.label}: the pasted code sends a signed message to a channel`, async function () {
        this.timeout(COMPILING_MS);
        const code = sample.code({ endpointUrl, secret: SECRET, body: sampleMessage() });
        const ran = await execute(sample, code, {});
        expect(ran.stdout, ran.stderr).to.contain('200');
        const [{ ok, body } = { ok: false, body: Buffer.of() }] = received;
        expect(ok).to.equal(true);
        expect(parseConversationText(body.toString()).outcome).to.equal('valid');
      });
  }

  it('curl asks for the secret if the environment has none, as pasted into a shell', async () => {
    const [curl] = SAMPLES;
    const code = curl.code({ endpointUrl, secret: null, body: sampleEvent(STARTS_AT) });
    const ran = await runInShell(`${code}${SECRET}\n`, { SLUICE_SIGNING_SECRET: '' });
    expect(
      received.map(({ ok }) => ok),
      ran.stderr,
    ).to.deep.equal([true]);
  });
});

async function execute(sample: Sample, code: string, env: Record<string, string>) {
  if (sample.run === '') return runInShell(code, env);
  const folder = newFolder();
  await writeFile(join(folder, sample.file), code);
  const [program = '', ...args] = sample.run.split(' ');
  return run(program, args, { env, cwd: folder });
}
