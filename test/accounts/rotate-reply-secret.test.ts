import { resealSecret } from '@sluice/accounts/secrets/reseal-secrets';
import { rotateReplySecret } from '@sluice/accounts/secrets/rotate-reply-secret';
import { createChannel } from '@sluice/accounts/sources/create-channel';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { openReplySecrets } from '@sluice/credentials/reply-secret';
import { createKeyring } from '@sluice/credentials/seal';
import type { Channel } from '@sluice/store/sources/source';
import { expect } from 'chai';
import { created } from '../support/created.ts';
import { use } from '../support/use.ts';
import { keyring, NOW, openInstallation } from './support.ts';

describe('rotating the secret of replies', () => {
  const here = use(openInstallation);
  let channel: Channel;
  let first: string;
  beforeEach(async () => {
    await here.newSource();
    const made = created(await createChannel(here.deps, { accountId: 'acc_1', name: 'Chat' }));
    channel = made.channel;
    first = made.replySecret;
  });

  const stored = async () => (await here.deps.sources.findSource(channel.source_id)) as Channel;
  const rotate = async (overlap: '0' | '1h' | '24h', at = NOW, ring = keyring) => {
    const deps = { ...here.deps, keyring: ring, now: () => at };
    const rotated = await rotateReplySecret(deps, channel.source_id, overlap);
    if (rotated.status !== 'rotated') throw new Error(rotated.status);
    return rotated.replySecret;
  };
  const secretsAt = async (at: number, ring = keyring) => {
    const opened = openReplySecrets(ring, await stored(), at);
    return opened.status === 'opened' ? opened.secrets : opened.status;
  };

  it('signs with the old secret too until the overlap ends, and not a millisecond longer', async () => {
    const second = await rotate('1h');
    expect(await secretsAt(NOW + HOUR_MS - 1)).to.deep.equal([second, first]);
    expect(await secretsAt(NOW + HOUR_MS)).to.deep.equal([second]);
  });

  it('signs with the new secret alone if there is no overlap', async () => {
    await rotate('24h');
    const third = await rotate('0');
    expect(await secretsAt(NOW)).to.deep.equal([third]);
  });

  it('signs with the three newest secrets at most, after several rotations within an overlap', async () => {
    const second = await rotate('24h');
    const third = await rotate('24h', NOW + 1);
    expect(await secretsAt(NOW + 2)).to.deep.equal([third, second, first]);
    const fourth = await rotate('24h', NOW + 2);
    expect(await secretsAt(NOW + 3)).to.deep.equal([fourth, third, second]);
  });

  it('replaces a secret whose key is lost, and forgets it', async () => {
    const other = createKeyring({ current: Buffer.alloc(32, 9) });
    expect(await secretsAt(NOW, other)).to.equal('unknown_key');
    const second = await rotate('24h', NOW, other);
    expect(await secretsAt(NOW, other)).to.deep.equal([second]);
  });

  it('reseals every secret that still signs', async () => {
    const second = await rotate('24h');
    const next = createKeyring({ current: Buffer.alloc(32, 9), older: [Buffer.alloc(32, 7)] });
    const alone = createKeyring({ current: Buffer.alloc(32, 9) });
    expect(await resealSecret({ ...here.deps, keyring: next }, channel.source_id)).to.include({
      status: 'resealed',
    });
    expect(await secretsAt(NOW, alone)).to.deep.equal([second, first]);
    expect(await resealSecret({ ...here.deps, keyring: next }, channel.source_id)).to.deep.equal({
      status: 'already_current',
    });
  });
});
