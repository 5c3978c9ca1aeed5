import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageKey, signatures } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { VERIFY_SAMPLES, type VerifySample } from '../../services/dashboard/src/samples/verify.ts';
import { isInstalled } from '../docs/support.ts';
import { newFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { until } from '../support/until.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(48, byte).toString('base64')}`;
const SECRET = secretOf(7);
const OLD_SECRET = secretOf(8);
const BODY = JSON.stringify({ id: 'msg_1', type: 'lead.created', data: { name: 'Zoë “Ada”' } });
const PROGRAMS: Record<string, string> = {
  ...{ node: 'node', python: 'python3', php: 'php', go: 'go', ruby: 'rackup', java: 'javac' },
};
const COMPILING_MS = 90_000;

describe('dashboard: code samples that verify messages', () => {
  const installed = VERIFY_SAMPLES.filter(({ id }) => isInstalled(PROGRAMS[id] as string));
  reportNotRun(
    'samples that verify',
    VERIFY_SAMPLES.filter((sample) => !installed.includes(sample)).map(({ label }) => label),
  );
  for (const sample of installed)
    it(`${sample.label}: the pasted code accepts a genuine message and nothing else`, async function () {
      this.timeout(COMPILING_MS);
      const receiver = await start(sample);
      try {
        const now = Math.floor(Date.now() / 1000);
        const send = (headers: Record<string, string>, body = BODY) => post(receiver.url, headers, body);
        expect(await send(signed(now, [SECRET]))).to.equal(204);
        expect(await send(signed(now, [OLD_SECRET, SECRET])), 'during a rotation').to.equal(204);
        const published = new Webhook(SECRET).sign('msg_1', new Date(now * 1000), BODY);
        expect(await send(headersOf(now, published)), 'signed by the published library').to.equal(204);

        expect(await send(signed(now, [SECRET]), BODY.replace('Ada', 'Bob')), 'another body').to.equal(401);
        expect(await send(signed(now, [OLD_SECRET])), 'another secret').to.equal(401);
        const otherId = { ...signed(now, [SECRET]), 'webhook-id': 'msg_2' };
        expect(await send(otherId), 'another id').to.equal(401);
        expect(await send(signed(now - 310, [SECRET])), 'old').to.equal(401);
        expect(await send(signed(now + 310, [SECRET])), 'from the future').to.equal(401);
        expect(await send({}), 'unsigned').to.equal(401);
        expect(await send(headersOf(now, 'v1,')), 'an empty signature').to.equal(401);
      } finally {
        await receiver.stop();
      }
    });
});

function headersOf(timestamp: number, signature: string): Record<string, string> {
  const rest = { 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signature };
  return { 'content-type': 'application/json', 'webhook-id': 'msg_1', ...rest };
}

/** The headers as a dispatcher sends them. */
function signed(timestamp: number, secrets: readonly string[]): Record<string, string> {
  const message = { messageId: 'msg_1', timestamp, body: BODY };
  return headersOf(timestamp, signatures(secrets.map(messageKey), message));
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

async function start({ file, run, code }: VerifySample) {
  const folder = newFolder();
  const port = await freePort();
  await writeFile(join(folder, file), code.replace('3000', `${port}`));
  const command = run.replace('3000', `${port}`).replace(/^.* && /, '');
  const env = { ...process.env, SLUICE_WEBHOOK_SECRET: SECRET };
  // A group of processes, because `go run` starts another one.
  const child = spawn('sh', ['-c', command], { cwd: folder, env, detached: true, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}/hooks/sluice`;
  const stop = () => end(child);
  const answers = () =>
    fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    );
  try {
    await until(() => child.exitCode !== null || answers(), { withinMs: 80_000, what: `${command} listens` });
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}
