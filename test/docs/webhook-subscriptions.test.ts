import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { startOutboundApi } from '../dispatcher/support/outbound-api.ts';
import { addKey } from '../support/api-processes.ts';
import { use } from '../support/use.ts';

const run = promisify(execFile);

describe('docs: the commands of webhook-subscriptions.md', function () {
  this.timeout(120_000);
  const outbound = use(() => startOutboundApi((_received, response) => response.end('thanks')));

  it('subscribe a receiver and test it, and the receiver can verify what arrives', async () => {
    const { pipeline, receiver, apiUrl } = outbound;
    const page = await readFile(new URL('../../docs/webhook-subscriptions.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text as string);
    const commands = blocks.filter((text) => text.startsWith('curl '));
    expect(commands).to.have.length(2);
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId, ['webhooks']);
    const bash = async (command: string, env: object) => {
      // Only the address of the receiver differs from the page.
      const text = command.replace('https://example.com/hook', receiver.url);
      const script = `set -euo pipefail; curl() { command curl --silent --fail-with-body "$@"; }\n${text}`;
      const common = { PATH: process.env.PATH ?? '', SLUICE_API_KEY: key, SLUICE_URL: apiUrl };
      return JSON.parse((await run('bash', ['-c', script], { env: { ...common, ...env } })).stdout);
    };
    const made = await bash(commands[0] as string, {});
    expect(made).to.include({ status: 'active', target_url: receiver.url });
    const tested = await bash(commands[1] as string, { ID: made.id });
    expect(tested).to.include({ status: 'delivered' });
    expect(tested.attempt).to.include({ status: 200, response: 'thanks' });
    const [got] = receiver.received;
    expect(got?.id).to.equal(tested.message_id);
    new Webhook(made.secret).verify(got?.text ?? '', got?.headers as Record<string, string>);
  });
});
