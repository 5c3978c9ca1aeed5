import { setPlan } from '@sluice/accounts/account/set-plan';
import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import { rotateSecret } from '@sluice/accounts/secrets/rotate-secret';
import { setSourceActive } from '@sluice/accounts/sources/change-source';
import { deleteSource } from '@sluice/accounts/sources/delete-source';
import { loadSourceRecord } from '@sluice/admission/load-source-record';
import type { SourceRecord } from '@sluice/admission/source-record';
import { expect } from 'chai';
import { use } from '../support/use.ts';
import { errorOf, openInstallation } from './support.ts';

/**
 * Guarantee 4, revoked means revoked: once a change of a source is reported, the very next request uses it. The process
 * that makes it may die at any step without leaving the old state in force while the new one is stored.
 */
describe('a change of a source', () => {
  const here = use(openInstallation);

  const changes = {
    'switching it off': (id: string, deps = here.deps) => setSourceActive(deps, id, false),
    'rotating its secret': (id: string, deps = here.deps) => rotateSecret(deps, id),
    'deleting it': (id: string, deps = here.deps) => deleteSource(deps, id, 'keep'),
    'moving its account to another plan': (_: string, deps = here.deps) => setPlan(deps, 'acc_1', 'free'),
  };

  for (const [what, change] of Object.entries(changes)) {
    it(`${what} fences first, then changes MongoDB, then publishes, and only then resolves`, async () => {
      const { source } = await here.newSource();
      const steps: string[] = [];
      const { directory, sources, accounts } = here.deps;
      const noted = <A extends unknown[], R>(
        step: string,
        verb: (...args: A) => R,
        idOf: (...args: A) => string,
      ) => {
        return (...args: A): R => {
          if (idOf(...args) === source.source_id) steps.push(step);
          return verb(...args);
        };
      };
      await change(source.source_id, {
        ...here.deps,
        directory: {
          ...directory,
          fence: noted('fence', directory.fence, (id) => id),
          publish: noted('publish', directory.publish, (record) => record.source_id),
        },
        sources: { ...sources, changeSource: noted('change', sources.changeSource, (id) => id) },
        accounts: {
          ...accounts,
          setAccountPlan: noted('change plan', accounts.setAccountPlan, () => source.source_id),
        },
      });
      steps.push('done');
      expect(steps[0]).to.equal('fence');
      expect(steps.slice(-3)).to.deep.equal(['change', 'publish', 'done']);
      const firstChange = steps.findIndex((step) => step.startsWith('change'));
      expect(steps.slice(0, firstChange)).to.not.include('publish');
    });

    it(`${what} raises the version, and the ingress reads the new record next`, async () => {
      const { source } = await here.newSource();
      const before = (await published(source.source_id)).version;
      await change(source.source_id);
      const stored = await here.deps.sources.findSource(source.source_id);
      const record = await published(source.source_id);
      expect(record.version).to.be.above(before).and.to.equal(stored?.version);
      expect(record.sealed_secret).to.equal(stored?.sealed_secret);
      expect(record.active).to.equal(stored?.active);
    });

    it(`${what} blocks admission if it dies before it publishes, until MongoDB is read again`, async () => {
      const { source } = await here.newSource();
      const publish = () => Promise.reject(new Error('Command timed out'));
      const error = await errorOf(
        change(source.source_id, { ...here.deps, directory: { ...here.deps.directory, publish } }),
      );
      expect(error).to.be.instanceOf(UnconfirmedChangeError);
      expect(await here.deps.directory.read(source.source_id)).to.have.property('state', 'changing');
    });

    it(`${what} throws and leaves the fence up if MongoDB does not confirm it`, async () => {
      const { source } = await here.newSource();
      const lost = () => Promise.reject(new Error('socket timed out'));
      const { sources, accounts } = here.deps;
      const error = await errorOf(
        change(source.source_id, {
          ...here.deps,
          sources: { ...sources, changeSource: lost },
          accounts: { ...accounts, setAccountPlan: lost },
        }),
      );
      expect(error).to.be.instanceOf(UnconfirmedChangeError);
      expect(String(error)).to.match(/MongoDB has not confirmed|not announced/);
      expect(await here.deps.directory.read(source.source_id)).to.have.property('state', 'changing');
    });

    it(`${what} changes nothing if Redis rejects the fence`, async () => {
      const { source } = await here.newSource();
      const fence = () => Promise.reject(new Error('Connection is closed.'));
      const error = await errorOf(
        change(source.source_id, { ...here.deps, directory: { ...here.deps.directory, fence } }),
      );
      expect(error).to.not.be.instanceOf(UnconfirmedChangeError);
      expect(await here.deps.sources.findSource(source.source_id)).to.deep.equal(source);
    });
  }

  it('moving its account to another plan leaves no ingress with the old plan if it dies after storing it', async () => {
    const { source } = await here.newSource('acc_dies');
    const cached = await published(source.source_id);
    const accounts = {
      ...here.deps.accounts,
      async setAccountPlan(id: string, plan: string) {
        await here.deps.accounts.setAccountPlan(id, plan);
        throw new Error('killed');
      },
    };
    await errorOf(setPlan({ ...here.deps, accounts }, 'acc_dies', 'free'));
    const record = await loadSourceRecord(here.deps, source.source_id);
    expect(record?.plan).to.equal('free');
    // The admission compares versions only.
    expect(record?.version).to.be.above(cached.version);
  });

  it('is rejected for an unknown source, and leaves nothing in Redis', async () => {
    expect(await setSourceActive(here.deps, 'src_none', false)).to.deep.equal({ status: 'source_not_found' });
    expect(await rotateSecret(here.deps, 'src_none')).to.deep.equal({ status: 'source_not_found' });
    expect(await here.redis.exists(here.keyspace.source('src_none'))).to.equal(0);
  });

  async function published(sourceId: string): Promise<SourceRecord> {
    const entry = await here.deps.directory.read(sourceId);
    if (entry.state !== 'published') throw new Error(`the source is ${entry.state}`);
    return entry.record;
  }
});
