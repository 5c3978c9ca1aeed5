import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import { newSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import { signBody } from '@sluice/signature/sign';
import { checkHeaders, checkSignature, verifyingKey } from '@sluice/signature/verify';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { newFolder } from '../support/folder.ts';
import { sluice } from './support.ts';

const BODY = '{"action":"upsert","event":{"title":"Größe"}}';
const timestamp = '1790000000';
const AT = new Date(Number(timestamp) * 1000).toISOString();

describe('sluice verify and sign', () => {
  const source = newSigningSecret();
  const subscription = newSubscriptionSecret();
  const dir = newFolder();
  let sourceFile: string;
  let subscriptionFile: string;
  before(async () => {
    [sourceFile, subscriptionFile] = [join(dir, 'source'), join(dir, 'subscription')];
    await writeFile(sourceFile, `${source}\n`);
    await writeFile(subscriptionFile, `${subscription}\n`);
  });

  const verify = (signature: string, { body = BODY, at = AT, more = [] as string[] } = {}) => {
    const secret = more.includes('--id') ? subscriptionFile : sourceFile;
    const args = ['--timestamp', timestamp, '--signature', signature, '--secret-file', secret];
    return sluice(['verify', ...args, '--at', at, '--json', ...more], { stdin: body });
  };
  const right = signBody({ secret: source, timestamp, body: Buffer.from(BODY) });
  const results = (rows: readonly Record<string, unknown>[]) => rows.map(({ result }) => result).join(' ');
  const ofMessage = (body = BODY) => new Webhook(subscription).sign('msg_1', new Date(AT), body);

  it('exits with 0 for a request that the ingress accepts', async () => {
    const done = await verify(right);
    expect(done, done.stdout).to.include({ code: 0, stderr: '' });
    expect(results(done.rows)).to.equal('ok ok ok');
  });

  const cases: readonly (readonly [string, () => ReturnType<typeof verify>, string, RegExp])[] = [
    ['an old request', () => verify(right, { at: '2026-09-21T16:26:41Z' }), 'ok problem ok', /seconds old/],
    ['another body', () => verify(right, { body: '{}' }), 'ok ok problem', /byte for byte/],
    [
      'a reformatted body',
      () => verify(right, { body: JSON.stringify(JSON.parse(BODY), null, 2) }),
      'ok ok problem',
      /reformatted/,
    ],
    [
      'upper-case hex',
      () => verify(right.toUpperCase().replace('SHA', 'sha')),
      'problem ok problem',
      /lower case/,
    ],
    [
      'a secret with a newline',
      () => verify(signBody({ secret: `${source}\n`, timestamp, body: Buffer.from(BODY) })),
      'ok ok problem',
      /newline after the secret/,
    ],
    [
      'a message with a parsed body',
      () => verify(ofMessage(), { body: JSON.stringify(JSON.parse(BODY), null, 2), more: ['--id', 'msg_1'] }),
      'ok ok problem',
      /reformatted/,
    ],
    [
      'a message with another id',
      () => verify(ofMessage(), { more: ['--id', 'msg_2'] }),
      'ok ok problem',
      /No signature matches/,
    ],
    [
      'a message whose secret was taken as text',
      () => verify(textSigned(subscription), { more: ['--id', 'msg_1'] }),
      'ok ok problem',
      /Decode the base64/,
    ],
    [
      'a signature of a request, given with --id',
      () => verify(right, { more: ['--id', 'msg_1'] }),
      'problem ok problem',
      /Leave --id out/,
    ],
  ];
  for (const [name, run, wanted, told] of cases)
    it(`exits with 1 and names the failed check for ${name}`, async () => {
      const done = await run();
      expect(done.code, done.stderr).to.equal(1);
      expect(results(done.rows)).to.equal(wanted);
      expect(done.stdout).to.match(told).and.not.contain(source).and.not.contain(subscription);
    });

  it('accepts a message of the published Standard Webhooks library, and any one signature of an overlap', async () => {
    for (const signature of [ofMessage(), `v1,${'A'.repeat(43)}= ${ofMessage()}`, `v1a,x ${ofMessage()}`]) {
      const done = await verify(signature, { more: ['--id', 'msg_1'] });
      expect(done, done.stdout).to.include({ code: 0 });
    }
  });

  it('signs what the ingress accepts, with the current time', async () => {
    const done = await sluice(['sign', '--secret-file', sourceFile, '--json'], { stdin: BODY });
    const headers = done.rows[0] as Record<string, string>;
    const checked = checkHeaders(
      { signature: headers['x-service-signature'], timestamp: headers['x-service-timestamp'] },
      Date.now(),
    );
    if (checked.outcome !== 'plausible') throw new Error(checked.outcome);
    expect(
      checkSignature(verifyingKey(source), checked.timestamp, Buffer.from(BODY), checked.signature),
    ).to.equal(true);
  });

  it('signs a message that the published Standard Webhooks library accepts', async () => {
    const args = ['sign', '--id', 'msg_1', '--secret-file', subscriptionFile];
    const { stdout } = await sluice(args, { stdin: BODY });
    const headers = Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(': ')),
    );
    expect(new Webhook(subscription).verify(BODY, headers)).to.deep.equal(JSON.parse(BODY));
  });

  it('exits with 2 if both secret and body come from standard input', async () => {
    const { code, stdout } = await sluice(['sign', '--secret-file', '-'], { stdin: BODY });
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
  });

  // Base64 of random bytes has no other character than letters and digits once in a while.
  for (const secret of [`whsec_${'+/Az'.repeat(16)}`, `whsec_${'09Az'.repeat(16)}`])
    it(`exits with 2 if a request is signed with the secret of a subscription: ${secret.slice(0, 10)}…`, async () => {
      await writeFile(join(dir, 'other'), secret);
      const { code, stdout, stderr } = await sluice(['sign', '--secret-file', join(dir, 'other')], {
        stdin: BODY,
      });
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr)
        .to.match(/the secret of a webhook subscription/)
        .and.not.contain(secret);
    });
});

/** A signature of a program that does not decode the base64 of the secret. */
function textSigned(secret: string): string {
  const encoded = Buffer.from(secret).toString('base64');
  return new Webhook(encoded).sign('msg_1', new Date(AT), BODY);
}
