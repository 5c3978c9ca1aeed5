import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createKeyring } from '@sluice/credentials/seal';
import { newSubscriptionSecret, sealSubscriptionSecret } from '@sluice/credentials/subscription-secret';
import { createSigningKeys } from '@sluice/dispatcher/attempt/secrets';
import { messageKey } from '@sluice/signature/standard-webhooks';
import { expect } from 'chai';
import { subscription } from '../mailboxes/support/use-mailboxes.ts';

const SUBSCRIPTIONS = 5_000;
const MIB = 2 ** 20;

describe('dispatcher: opened secrets', () => {
  const keyring = createKeyring({ current: Buffer.alloc(32, 7) });
  const subscribed = (id: string, secret: string, expires_at: number | null = null) =>
    subscription({
      subscription_id: id,
      secrets: [{ sealed: sealSubscriptionSecret(keyring, id, secret), expires_at }],
    });

  it('are the same at every message', () => {
    const secret = newSubscriptionSecret();
    const signingKeys = createSigningKeys(keyring);
    const one = subscribed('sub_1', secret);
    for (let message = 0; message < 3; message++) {
      const [key, ...others] = signingKeys(one, 0);
      expect(Buffer.from(key as Uint8Array).equals(messageKey(secret))).to.equal(true);
      expect(others).to.deep.equal([]);
    }
  });

  it('sign until they expire, and not with another keyring', () => {
    const expiring = subscribed('sub_1', newSubscriptionSecret(), 1_000);
    const signingKeys = createSigningKeys(keyring);
    expect(signingKeys(expiring, 999)).to.have.length(1);
    expect(signingKeys(expiring, 1_000)).to.deep.equal([]);
    const other = createSigningKeys(createKeyring({ current: Buffer.alloc(32, 8) }));
    expect(other(expiring, 0)).to.deep.equal([]);
    expect(other(expiring, 0)).to.deep.equal([]);
  });

  it('of thousands of subscriptions take little memory outside of the heap', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const signingKeys = createSigningKeys(keyring);
    const all = Array.from({ length: SUBSCRIPTIONS }, (_, n) =>
      subscribed(`sub_${n}`, newSubscriptionSecret()),
    );
    collect();
    const before = process.memoryUsage().arrayBuffers;
    for (const one of all) {
      signingKeys(one, 0);
      // The body of a message, as a Buffer of the same pool.
      Buffer.from('x'.repeat(1_000));
    }
    // The first collection leaves the memory of dead Buffers to a thread. The second waits for that.
    collect();
    collect();
    expect((process.memoryUsage().arrayBuffers - before) / MIB).to.be.below(2);
    // It still keeps them.
    expect(signingKeys(all[0] as (typeof all)[0], 0)).to.have.length(1);
  });
});
