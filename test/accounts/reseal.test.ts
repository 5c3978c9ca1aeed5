import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import { resealAllSecrets, resealSecret } from '@sluice/accounts/secrets/reseal-secrets';
import { endOverlap, rotateSecret } from '@sluice/accounts/secrets/rotate-secret';
import { showSecret } from '@sluice/accounts/secrets/show-secret';
import { createKeyring } from '@sluice/credentials/seal';
import type { Source } from '@sluice/store/sources/source';
import { expect } from 'chai';
import { use } from '../support/use.ts';
import { errorOf, keyring, openInstallation } from './support.ts';

const OLD_KEY = Buffer.alloc(32, 7);
const NEW_KEY = Buffer.alloc(32, 8);
const newAlone = createKeyring({ current: NEW_KEY });
const newWithOld = createKeyring({ current: NEW_KEY, older: [OLD_KEY] });

describe('resealing signing secrets', () => {
  const here = use(openInstallation);

  const deps = () => ({ ...here.deps, keyring: newWithOld });
  const stored = async (id: string) => (await here.deps.sources.findSource(id)) as Source;

  it('keeps every secret, and needs the old key no longer, in MongoDB or as published', async () => {
    const made = [await here.newSource(), await here.newSource(), await here.newSource()];
    const seen: number[] = [];
    const result = await resealAllSecrets(deps(), ({ done }) => seen.push(done));
    expect(result).to.deep.include({ alreadyCurrent: 0, unreadable: [] });
    expect(result.resealed.map(({ source_id }) => source_id)).to.have.members(
      made.map(({ source }) => source.source_id),
    );
    expect(seen).to.deep.equal([1, 2, 3]);
    for (const { source, signingSecret } of made) {
      const now = await stored(source.source_id);
      expect(showSecret(newAlone, now)).to.deep.equal({ status: 'opened', secret: signingSecret });
      expect(now.secret_rotated_at).to.equal(null);
      expect(await here.deps.directory.read(source.source_id)).to.have.nested.include({
        state: 'published',
        'record.sealed_secret': now.sealed_secret,
        'record.version': now.version,
      });
    }
  });

  it('reseals the previous secret too, if it is still known', async () => {
    const { source, signingSecret } = await here.newSource();
    const rotated = await rotateSecret(here.deps, source.source_id, { overlap: '24h' });
    if (rotated.status !== 'rotated') throw new Error(rotated.status);
    expect(await resealSecret(deps(), source.source_id)).to.deep.equal({
      ...{ status: 'resealed', droppedPrevious: false },
    });
    const now = await stored(source.source_id);
    const opened = (sealed_secret?: string) =>
      showSecret(newAlone, { source_id: source.source_id, sealed_secret: sealed_secret ?? '' });
    expect(opened(now.sealed_secret)).to.deep.include({ secret: rotated.signingSecret });
    expect(opened(now.previous_secret?.sealed_secret)).to.deep.include({ secret: signingSecret });
    expect(now.previous_secret).to.deep.include({
      accepted_until: rotated.source.previous_secret?.accepted_until,
    });
    expect(await here.deps.directory.read(source.source_id)).to.have.nested.include({
      'record.previous_secret.sealed_secret': now.previous_secret?.sealed_secret,
    });
    expect(await resealSecret(deps(), source.source_id)).to.deep.equal({ status: 'already_current' });
  });

  it('yields to a rotation that comes between reading and writing, and removes the fence', async () => {
    const { source } = await here.newSource();
    let rotated = '';
    const sources = {
      ...here.deps.sources,
      resealSource: async (id: string, sealed: { from: string; to: string }) => {
        if (rotated === '') {
          // By a process that does not have the new key yet.
          const result = await rotateSecret({ ...here.deps, keyring }, id);
          if (result.status === 'rotated') rotated = result.signingSecret;
        }
        return here.deps.sources.resealSource(id, sealed);
      },
    };
    expect(await resealSecret({ ...deps(), sources }, source.source_id)).to.include({
      status: 'resealed',
    });
    const now = await stored(source.source_id);
    expect(showSecret(newAlone, now)).to.deep.equal({ status: 'opened', secret: rotated });
    expect(await here.deps.directory.read(source.source_id)).to.have.nested.include({
      state: 'published',
      'record.version': now.version,
    });
  });

  it('leaves a secret that no key opens unchanged, and reports the key it was sealed with', async () => {
    const { source } = await here.newSource();
    const before = await stored(source.source_id);
    const result = await resealSecret({ ...here.deps, keyring: newAlone }, source.source_id);
    expect(result).to.deep.equal({
      ...{ status: 'unreadable', secret: 'current' },
      opened: { status: 'unknown_key', keyId: keyring.current.id },
    });
    expect(await stored(source.source_id)).to.deep.equal(before);
  });

  /** A source whose secret before the last rotation was sealed with a key that is lost. */
  async function afterLostKey(overlap: '0' | '24h') {
    const lost = createKeyring({ current: Buffer.alloc(32, 9) });
    const { source } = await here.newSource();
    await rotateSecret({ ...here.deps, keyring: lost }, source.source_id);
    await rotateSecret(here.deps, source.source_id, { overlap });
    return { id: source.source_id, lost };
  }

  it('drops a previous secret that no key opens, in MongoDB and as published', async () => {
    const { id } = await afterLostKey('0');
    const before = await stored(id);
    const result = await resealAllSecrets(deps(), () => {});
    expect(result).to.deep.include({ droppedPrevious: [id], unreadable: [] });
    const now = await stored(id);
    expect(now.previous_secret).to.equal(null);
    expect(now.version).to.equal(before.version + 1);
    expect(showSecret(newAlone, now)).to.deep.equal(showSecret(here.deps.keyring, before));
    const read = await here.deps.directory.read(id);
    expect(read).to.have.nested.include({ state: 'published', 'record.version': now.version });
    expect('record' in read && read.record).not.to.have.property('previous_secret');
    expect(await resealSecret(deps(), id)).to.deep.equal({ status: 'already_current' });
  });

  it('leaves a previous secret that no key opens while it is accepted, because a process may have its key', async () => {
    const { id, lost } = await afterLostKey('24h');
    const before = await stored(id);
    expect(await resealSecret(deps(), id)).to.deep.equal({
      ...{ status: 'unreadable', secret: 'previous' },
      opened: { status: 'unknown_key', keyId: lost.current.id },
    });
    expect(await stored(id)).to.deep.equal(before);
    await endOverlap(here.deps, id);
    expect(await resealSecret(deps(), id)).to.deep.equal({ status: 'resealed', droppedPrevious: true });
  });

  it('throws and leaves the fence up if MongoDB fails half way', async () => {
    const { source } = await here.newSource();
    const sources = {
      ...here.deps.sources,
      resealSource: () => Promise.reject(new Error('connection reset')),
    };
    const error = await errorOf(resealSecret({ ...deps(), sources }, source.source_id));
    expect(error).to.be.instanceOf(UnconfirmedChangeError);
    expect(await here.deps.directory.read(source.source_id)).to.include({ state: 'changing' });
  });
});
