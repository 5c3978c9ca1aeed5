import {
  endOverlap,
  forgetSecrets,
  overlapEnd,
  RECOGNISED_MS,
  rotateSecret,
} from '@sluice/accounts/secrets/rotate-secret';
import { HOUR_MS } from '@sluice/contract/time/durations';
import type { Source } from '@sluice/store/sources/source';
import { expect } from 'chai';
import { use } from '../support/use.ts';
import { NOW, openInstallation } from './support.ts';

describe('the previous secret after a rotation', () => {
  const here = use(openInstallation);

  const rotate = async (id: string, overlap: '0' | '1h' | '24h', nowMs = NOW): Promise<Source> => {
    const rotated = await rotateSecret({ ...here.deps, now: () => nowMs }, id, { overlap });
    if (rotated.status !== 'rotated') throw new Error(rotated.status);
    return rotated.source;
  };
  const published = async (id: string) => {
    const entry = await here.deps.directory.read(id);
    return entry.state === 'published' ? entry.record.previous_secret : undefined;
  };

  it('is rejected without an overlap, and still recognised for a day', async () => {
    const { source } = await here.newSource();
    const rotated = await rotate(source.source_id, '0');
    expect(rotated.previous_secret).to.deep.equal({
      sealed_secret: source.sealed_secret,
      replaced_at: NOW,
      accepted_until: null,
      forget_at: NOW + RECOGNISED_MS,
    });
    expect(overlapEnd(rotated, NOW)).to.equal(null);
    expect(await published(source.source_id)).to.deep.equal({
      sealed_secret: source.sealed_secret,
      accepted_until: null,
    });
  });

  it('is accepted for exactly the requested overlap, and stored encrypted only', async () => {
    const { source, signingSecret } = await here.newSource();
    const rotated = await rotate(source.source_id, '24h');
    const end = NOW + 24 * HOUR_MS;
    expect([overlapEnd(rotated, NOW), overlapEnd(rotated, end - 1), overlapEnd(rotated, end)]).to.deep.equal([
      end,
      end,
      null,
    ]);
    const kept = JSON.stringify([rotated, await here.redis.hgetall(here.keyspace.source(source.source_id))]);
    expect(kept).to.contain(source.sealed_secret).and.not.to.contain(signingSecret);
  });

  it('is replaced by a second rotation, which stores the older one nowhere', async () => {
    const { source } = await here.newSource();
    const second = await rotate(source.source_id, '24h');
    const third = await rotate(source.source_id, '1h', NOW + 1);
    expect(third.previous_secret).to.include({
      sealed_secret: second.sealed_secret,
      accepted_until: NOW + 1 + HOUR_MS,
    });
    const kept = JSON.stringify([third, await here.redis.hgetall(here.keyspace.source(source.source_id))]);
    expect(kept).not.to.contain(source.sealed_secret);
  });

  it('is not lost in concurrent rotations: one follows the other', async () => {
    const { source } = await here.newSource();
    const both = await Promise.all([rotate(source.source_id, '1h'), rotate(source.source_id, '1h', NOW + 1)]);
    const replaced = both.map(({ previous_secret }) => previous_secret?.sealed_secret);
    const [first] = both.filter((one) => one.previous_secret?.sealed_secret === source.sealed_secret);
    expect(replaced).to.have.members([source.sealed_secret, first?.sealed_secret]);
    const entry = await here.deps.directory.read(source.source_id);
    expect(entry).to.have.nested.include({ state: 'published', 'record.version': 3 });
  });

  it('is recognised for at most a day after its overlap was ended early', async () => {
    const { source } = await here.newSource();
    await rotate(source.source_id, '24h');
    const now = () => NOW + HOUR_MS;
    const ended = await endOverlap({ ...here.deps, now }, source.source_id);
    expect(ended)
      .to.have.nested.property('source.previous_secret')
      .that.deep.includes({
        accepted_until: null,
        forget_at: NOW + HOUR_MS + RECOGNISED_MS,
      });
    expect(await published(source.source_id)).to.include({ accepted_until: null });
  });

  it('is deleted from MongoDB and Redis once it expires, and not before', async () => {
    const { source } = await here.newSource();
    const { previous_secret, secret_rotated_at } = await rotate(source.source_id, '1h');
    const forgetAt = previous_secret?.forget_at as number;
    const stored = async () => (await here.deps.sources.findSource(source.source_id)) as Source;
    await forgetSecrets({ ...here.deps, now: () => forgetAt - 1 });
    expect((await stored()).previous_secret).to.deep.equal(previous_secret);
    await forgetSecrets({ ...here.deps, now: () => forgetAt });
    expect(await stored()).to.include({ previous_secret: null, secret_rotated_at });
    expect(await published(source.source_id)).to.equal(undefined);
    expect(
      (await here.deps.sources.listForgettable(forgetAt)).map(({ source_id }) => source_id),
    ).not.to.include(source.source_id);
  });
});
