import { deleteSource } from '@sluice/accounts/sources/delete-source';
import { sweepDeletedSource } from '@sluice/accounts/sources/sweep-deleted-source';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { errorOf, type Installation, NOW, openInstallation } from './support.ts';

describe('the sweep after the deletion of a source', () => {
  let here: Installation;
  beforeEach(async () => {
    here = await openInstallation();
  });
  afterEach(() => here?.close());

  /** A deleted source, with events that the test sets, and the titles that are deleted. */
  const deleted = async (what: 'keep' | 'delete') => {
    const { source_id } = (await here.newSource()).source;
    await deleteSource(here.deps, source_id, what);
    const at = { events: ['One', 'Two'], deleted: [] as string[], now: NOW, isFull: false };
    const deps = {
      ...here.store,
      events: {
        async *listEvents() {
          for (const title of at.events)
            yield { event_id: title, title, starts_at: NOW, location: null } as never;
        },
      },
      enqueueActions: async (id: string, wanted: readonly WantedAction[]) => {
        expect(id).to.equal(source_id);
        return wanted.map(({ action }) => {
          if (at.isFull) return { outcome: 'refused', code: 'unavailable', detail: 'Full.' } as const;
          at.deleted.push((action as { identity: { title: string } }).identity.title);
          return { outcome: 'enqueued', delivery_id: 'dlv_1', sequence: 1, received_at: NOW } as const;
        });
      },
      eraseMessages: async () => {},
      publishReply: async () => {
        throw new Error('a source has no replies');
      },
      now: () => at.now,
    };
    return { at, deps, source_id };
  };

  it('deletes the events, and later those of requests that were still waiting', async () => {
    const { at, deps } = await deleted('delete');
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect(at.deleted).to.deep.equal(['One', 'Two']);
    expect(await sweepDeletedSource(deps)).to.equal(false);
    at.events = ['Late'];
    at.now += MINUTE_MS;
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect(at.deleted).to.deep.equal(['One', 'Two', 'Late']);
  });

  it('ends once requests can wait no longer', async () => {
    const { at, deps } = await deleted('delete');
    let sweeps = 0;
    at.events = [];
    while (await sweepDeletedSource(deps)) {
      sweeps += 1;
      at.now += 31 * 86_400_000;
    }
    expect(sweeps).to.equal(2);
  });

  it('tries again a minute later if the process dies, and 5 s later if the queue is full', async () => {
    const { at, deps } = await deleted('delete');
    const dies = { ...deps, importedUids: { forgetSource: () => Promise.reject(new Error('killed')) } };
    expect(await errorOf(sweepDeletedSource(dies))).to.have.property('message', 'killed');
    at.now += MINUTE_MS;
    at.isFull = true;
    expect(await sweepDeletedSource(deps)).to.equal(true);
    at.isFull = false;
    expect(await sweepDeletedSource(deps)).to.equal(false);
    at.now += 5_000;
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect(at.deleted).to.deep.equal(['One', 'Two']);
  });

  it('forgets the UIDs and the turn of its imports, and leaves events that are kept', async () => {
    const { at, deps, source_id } = await deleted('keep');
    const uid = { uid: 'a@example.com', recurrence_id: '', event_id: 'evt_1' };
    await here.store.importedUids.noteUids(source_id, [uid], NOW);
    await here.store.importedUids.noteUids('src_other', [uid], NOW);
    for (const id of [source_id, 'src_other'])
      await here.store.importTurns.takeTurn(id, { import_id: 'import_1', at: NOW });
    expect(await sweepDeletedSource(deps)).to.equal(true);
    expect(at.deleted).to.deep.equal([]);
    expect((await here.store.importTurns.readTurn(source_id)).import_id).to.equal('');
    expect((await here.store.importTurns.readTurn('src_other')).import_id).to.equal('import_1');
    expect((await here.store.importedUids.findUids(source_id, [uid.uid])).entries).to.deep.equal([]);
    expect((await here.store.importedUids.findUids('src_other', [uid.uid])).entries).to.deep.equal([uid]);
  });
});
