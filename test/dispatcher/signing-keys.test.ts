import { createKeyring } from '@sluice/credentials/seal';
import { newSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import { createSealedLog, createSigningKeys } from '@sluice/dispatcher/attempt/secrets';
import { messageKey } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { subscription } from '../outbound/directory/support/use-directory.ts';

const ignored = (): void => {};

describe('dispatcher: opened secrets', () => {
  const keyring = createKeyring({ current: Buffer.alloc(32, 7) });
  const subscribed = (id: string, secret: string, expires_at: number | null = null) =>
    subscription({
      subscription_id: id,
      secrets: [{ sealed: sealSubscriptionSecret(keyring, id, secret), expires_at }],
    });

  it('are the same at every message', () => {
    const secret = newSubscriptionSecret();
    const signingKeys = createSigningKeys(keyring, ignored);
    const one = subscribed('sub_1', secret);
    for (let message = 0; message < 3; message++) {
      const [key, ...others] = signingKeys(one, 0);
      expect(Buffer.from(key as Uint8Array).equals(messageKey(secret))).to.equal(true);
      expect(others).to.deep.equal([]);
    }
  });

  it('sign until they expire, and not with another keyring', () => {
    const expiring = subscribed('sub_1', newSubscriptionSecret(), 1_000);
    const signingKeys = createSigningKeys(keyring, ignored);
    expect(signingKeys(expiring, 999)).to.have.length(1);
    expect(signingKeys(expiring, 1_000)).to.deep.equal([]);
    const other = createSigningKeys(createKeyring({ current: Buffer.alloc(32, 8) }), ignored);
    expect(other(expiring, 0)).to.deep.equal([]);
    expect(other(expiring, 0)).to.deep.equal([]);
  });

  it('are logged once if no key opens them, with the remedy and without the secret', () => {
    const lines: [Record<string, unknown>, string][] = [];
    const error = (...line: [Record<string, unknown>, string]) => lines.push(line);
    const unknown = createKeyring({ current: Buffer.alloc(32, 8) });
    const signingKeys = createSigningKeys(unknown, createSealedLog({ error } as never));
    const ofWebhook = subscribed('sub_1', newSubscriptionSecret());
    const ofReply = { ...subscribed('sub_2', newSubscriptionSecret()), kind: 'reply' } as const;
    for (let message = 0; message < 3; message++) for (const one of [ofWebhook, ofReply]) signingKeys(one, 0);
    const fields = { event: 'subscription.sealed', account_id: 'acc_1', status: 'unknown_key', unlogged: 0 };
    expect(lines.map(([line]) => line)).to.deep.equal([
      { ...fields, subscription_id: 'sub_1' },
      { ...fields, subscription_id: 'sub_2' },
    ]);
    const texts = lines.map(([, text]) => text);
    expect(texts[0]).to.contain('sluice webhook rotate-secret').and.not.contain(ofWebhook.secrets[0]?.sealed);
    expect(texts[1]).to.contain('rotate-reply-secret').and.not.contain(ofReply.secrets[0]?.sealed);
  });
});
