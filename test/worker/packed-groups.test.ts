import { GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { packActions } from '@sluice/queue/packed-actions';
import { expect } from 'chai';
import { actionsIn, unpackJobs } from '../../services/worker/src/take/unpack-jobs.ts';
import { createSource, upsert } from './support/groups.ts';
import { createPipeline } from './support/in-process.ts';
import { useTestStores } from './support/stores.ts';

describe('packed groups', () => {
  const stores = useTestStores();

  /** A packed job of one action for each title, as an ingress makes it. */
  function packedJob(...titles: string[]) {
    const source = createSource();
    const admitted = titles.map((title) => source.admit(upsert(title, '5 €')));
    const sequences = admitted.map(({ sequence }) => sequence);
    const enqueued = admitted.map(({ delivery_id, duplicate_of, sequence, ...action }) => action);
    const group = { v: GROUP_VERSION, group_id: `grp_${source.source_id}`, sequences, repeated: [] };
    return { source, job: { ...group, packed: packActions(JSON.stringify(enqueued)) } };
  }

  it('become one dead letter with all their content if they are damaged, and other groups are applied', async () => {
    const pipeline = createPipeline(stores);
    const take = unpackJobs(({ data }) => pipeline.run(data));
    const { job } = packedJob('Yoga', 'Choir');
    const damaged = { ...job, packed: `AAAA${job.packed.slice(4)}` };
    const { source, job: sound } = packedJob('Übung 🎉');
    expect(await take({ id: '1', data: damaged })).to.equal('done');
    expect(await take({ id: '2', data: sound })).to.equal('done');
    const rows = [...(await stores.deliveries(source.source_id)).values()];
    expect(rows.map(({ outcome }) => outcome)).to.deep.equal(['created']);
    const letters = await stores.deadLetters.list(10);
    expect(letters.map(({ action, reason }) => [action, reason])).to.deep.equal([
      [damaged, 'The job contains no list of actions.'],
    ]);
  });

  it('are weighed by the actions in them', () => {
    expect(actionsIn(packedJob('Yoga', 'Chess', 'Choir').job)).to.equal(3);
    expect(actionsIn({ packed: 'damaged' })).to.equal(1);
  });
});
