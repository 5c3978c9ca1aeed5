import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PRESETS } from '@sluice/signature/presets/presets';
import { pick } from '@sluice/signature/sender/pointer';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import fc from 'fast-check';
import { verdictOf } from '../signature/sender/support.ts';
import { installProgram } from './support/programs.ts';

interface Stripe {
  readonly webhooks: {
    generateTestHeaderString(message: { payload: string; secret: string }): string;
    constructEvent(payload: string, header: string, secret: string): { id: string };
  };
}
interface Svix {
  sign(id: string, at: Date, body: string): string;
  verify(body: string, headers: Record<string, string>): unknown;
}
interface Octokit {
  sign(secret: string, body: string): Promise<string>;
  verify(secret: string, body: string, signature: string): Promise<boolean>;
}

/** The libraries that senders publish, and our profiles of them. */
describe('senders: their own libraries', function () {
  this.timeout(120_000);
  const body = JSON.stringify({ id: 'evt_1', object: 'event', title: 'Fähre' });
  const bytes = Buffer.from(body);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const ours = (name: 'stripe' | 'github' | 'standard-webhooks') =>
    signAs(PRESETS[name].verify, { secret, body: bytes, id: 'msg_1', nowMs: Date.now() });
  const verdict = (name: 'stripe' | 'github' | 'standard-webhooks', headers: Record<string, string>) =>
    verdictOf(PRESETS[name].verify, { headers, body, secret }).outcome;
  let load: (name: string) => Promise<unknown>;
  before(() => {
    const folder = installProgram('senders', 'integrations/programs/senders');
    const { resolve } = createRequire(join(folder, 'package.json'));
    load = async (name) =>
      import(
        name.startsWith('@') ? join(folder, 'node_modules', name, 'dist-node', 'index.js') : resolve(name)
      );
  });

  it('stripe signs for our verifier, and verifies what we sign', async () => {
    const { default: Stripe } = (await load('stripe')) as { default: new (key: string) => Stripe };
    const { webhooks } = new Stripe('sk_test_unused');
    const header = webhooks.generateTestHeaderString({ payload: body, secret });
    expect(verdict('stripe', { 'Stripe-Signature': header })).to.equal('verified');
    const signed = String(ours('stripe')['Stripe-Signature']);
    expect(webhooks.constructEvent(body, signed, secret).id).to.equal('evt_1');
  });

  it('svix signs for our verifier, and verifies what we sign', async () => {
    const { Webhook } = (await load('svix')) as { Webhook: new (secret: string) => Svix };
    const svix = new Webhook(secret);
    const at = new Date();
    const headers = {
      'svix-id': 'msg_1',
      'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
      'svix-signature': svix.sign('msg_1', at, body),
    };
    expect(verdict('standard-webhooks', headers)).to.equal('verified');
    expect(() => svix.verify(body, ours('standard-webhooks'))).not.to.throw();
  });

  it('@octokit/webhooks-methods signs for our verifier, and verifies what we sign', async () => {
    const octokit = (await load('@octokit/webhooks-methods')) as Octokit;
    const header = await octokit.sign(secret, body);
    expect(verdict('github', { 'X-Hub-Signature-256': header })).to.equal('verified');
    expect(await octokit.verify(secret, body, String(ours('github')['X-Hub-Signature-256']))).to.equal(true);
  });

  it('jsonpointer finds what our picker finds, except what objects inherit', async () => {
    const { default: jsonpointer } = (await load('jsonpointer')) as {
      default: { get(document: object, pointer: string): unknown };
    };
    const key = fc.constantFrom('a', 'b/c', 'm~n', '', '0', '1', ' ');
    const document = fc.letrec((tie) => ({
      value: fc.oneof(fc.integer(), fc.string(), fc.dictionary(key, tie('value')), fc.array(tie('value'))),
    })).value;
    const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');
    const pointers = fc
      .array(key, { maxLength: 4 })
      .map((parts) => parts.map((part) => `/${escaped(part)}`).join(''));
    fc.assert(
      fc.property(document, pointers, (value, pointer) => {
        const root = { a: value, '0': [value] };
        const found = pick(root, pointer);
        // The library reads characters of a text, which RFC 6901 does not know.
        if (found !== undefined) expect(jsonpointer.get(root, pointer)).to.deep.equal(found);
      }),
    );
  });
});
