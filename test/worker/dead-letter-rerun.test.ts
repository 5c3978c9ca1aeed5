import { retryDeadLetter } from '@sluice/accounts/dead-letters/dead-letters';
import {
  type DeadLetter,
  GROUP_VERSION,
  ID_GROUP_VERSION,
  type RefusalGroup,
} from '@sluice/contract/delivery/groups';
import { DAY_MS } from '@sluice/contract/time/durations';
import { formatInstant } from '@sluice/contract/time/instant';
import { expect } from 'chai';
import type { DeliveryLog } from '../../services/worker/src/ports.ts';
import { createProcessRefusals } from '../../services/worker/src/process-refusals.ts';
import { createSource, groupOf, upsert } from './support/groups.ts';
import { createPipeline } from './support/in-process.ts';
import { useTestStores } from './support/stores.ts';

describe('a dead letter that an operator retries', () => {
  const stores = useTestStores();

  /** An action that failed because this worker no longer supports its group's version. */
  async function fail() {
    const source = createSource();
    const action = source.admit(upsert('Yoga', 'free'));
    await createPipeline(stores).run({ ...groupOf(action), v: 0 });
    const row = async () => (await stores.deliveries(source.source_id)).get(action.delivery_id);
    expect((await row())?.outcome).to.equal('failed');
    return { action, row };
  }

  /** Retries letters into a list instead of a queue. */
  function retrying<Group = unknown>() {
    const enqueued: Group[] = [];
    const enqueue = async (group: unknown) => void enqueued.push(group as Group);
    const deps = {
      deadLetters: stores.deadLetters,
      producer: { enqueueActions: enqueue, enqueueRefusals: enqueue },
    };
    return { enqueued, retry: (id: string) => retryDeadLetter(deps, id) };
  }

  it('is applied, its row gets the new outcome, and the letter is removed', async () => {
    const { action, row } = await fail();
    await createPipeline(stores).run({ ...groupOf(action), group_id: 'rerun_1' });
    expect(await row()).to.include({ outcome: 'created', reason: null });
    expect(await stores.deadLetters.get(action.delivery_id)).to.equal(undefined);
  });

  it('has a row that MongoDB keeps for another month, if that of the request was over', async () => {
    const source = createSource();
    const rows = () => stores.deliveries(source.source_id);
    const retry = async (days: number, title: string) => {
      const received_at = Date.now() - days * DAY_MS;
      const action = { ...source.admit(upsert(title, 'free')), received_at };
      const before = Date.now();
      await createPipeline(stores).run({ ...groupOf(action), group_id: `rerun_${days}` });
      const row = (await rows()).get(action.delivery_id);
      return { row, before, received_at };
    };
    for (const days of [29.5, 40, 400]) {
      const { row, before, received_at } = await retry(days, `Yoga ${days}`);
      expect(row?.received_at, `${days} days`).to.be.within(before, Date.now());
      expect(row).to.deep.include({
        outcome: 'created',
        reason: `Received at ${formatInstant(received_at)}, and retried as a dead letter.`,
      });
    }
    const { row, received_at } = await retry(10, 'Chess');
    expect(row).to.deep.include({ outcome: 'created', reason: null, received_at });

    const broken = { ...source.admit(upsert('Choir', 'free')), received_at: 0, action: { kind: 'explode' } };
    await createPipeline(stores).run({ ...groupOf(), group_id: 'rerun_broken', actions: [broken] });
    const failed = (await rows()).get(broken.delivery_id);
    expect(failed?.reason).to.match(/explode.* Received at 1970-.*, and retried as a dead letter\./);
  });

  it('stays a dead letter with the outcome failed if it fails again', async () => {
    const { action, row } = await fail();
    const broken = { ...action, action: { kind: 'explode' } };
    await createPipeline(stores).run({ ...groupOf(), group_id: 'rerun_2', actions: [broken] });
    expect((await row())?.outcome).to.equal('failed');
    expect(await stores.deadLetters.get(action.delivery_id)).not.to.equal(undefined);
  });

  it('is removed once it is applied, also under another id than its delivery id', async () => {
    const { deadLetters } = stores;
    const action = createSource().admit(upsert('Yoga', 'free'));
    const letter_id = `unnamed-${action.request_id}-0`;
    await deadLetters.add(letter_id, {
      v: GROUP_VERSION,
      failed_at: 1,
      reason: 'It named no delivery.',
      action,
    });
    await createPipeline(stores).run({ ...groupOf(action), group_id: 'rerun_named', letter_id });
    expect(await deadLetters.get(letter_id)).to.equal(undefined);
  });

  it('stays a dead letter until its outcome is in the log', async () => {
    const { action } = await fail();
    const { deliveries } = stores.store;
    const lost: DeliveryLog = {
      insertDeliveries: (rows) => deliveries.insertDeliveries(rows),
      replaceDelivery: () => Promise.reject(new Error('cut off')),
    };
    const failure = await createPipeline(stores, { log: lost })
      .run({ ...groupOf(action), group_id: 'rerun_cut_off' })
      .catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    expect(await stores.deadLetters.get(action.delivery_id)).not.to.equal(undefined);
  });

  it('stays one single letter if it names no delivery and fails repeatedly', async () => {
    const { deadLetters } = stores;
    const group = { ...groupOf(), actions: [{ source_id: 'src_1' }] };
    await createPipeline(stores).run(group);
    const letters = await deadLetters.count();
    const { enqueued, retry } = retrying();
    for (let time = 0; time < 3; time++) {
      const id = `unnamed-${group.group_id}-0`;
      expect(await retry(id)).to.deep.equal({ status: 'retried' });
      expect(await createPipeline(stores).run(enqueued.at(-1))).to.equal('done');
    }
    expect(await deadLetters.count()).to.equal(letters);
  });

  it('waits for a newer worker if a newer worker wrote it', async () => {
    const { deadLetters } = stores;
    const { delivery_id, ...rest } = createSource().admit(upsert('Yoga', 'free'));
    const action = { ...rest, delivery_id, more: { of: 'the future' } };
    const newer = { v: ID_GROUP_VERSION + 1, failed_at: 1, reason: 'No', action } as unknown as DeadLetter;
    await deadLetters.add(delivery_id, newer);
    const { enqueued, retry } = retrying();
    await retry(delivery_id);
    expect(await createPipeline(stores).run(enqueued[0])).to.equal('put_off');
    expect(await deadLetters.get(delivery_id)).to.deep.include({ v: ID_GROUP_VERSION + 1, action });
  });

  it('of a refused request is logged as rejected, never applied, and removed', async () => {
    const source = createSource();
    const [refusal] = source.refusals('No start').refusals;
    const { deadLetters } = stores;
    const pipeline = createProcessRefusals({
      deadLetters,
      log: stores.store.deliveries,
      retentionMs: 30 * DAY_MS,
      observer: { refused: () => {}, newer: () => {} },
      now: Date.now,
    });
    const id = refusal?.delivery_id ?? '';
    // A refusal from a newer version with an unknown code.
    const strange = { ...refusal, code: 'of_a_later_version' };
    await pipeline({ id: '1', data: { v: GROUP_VERSION, group_id: 'grp_strange', refusals: [strange] } });
    expect(await deadLetters.get(id)).to.include({ refused: true });

    const { enqueued, retry } = retrying<RefusalGroup>();
    expect(await retry(id)).to.deep.equal({ status: 'retried' });
    expect(await pipeline({ id: '2', data: enqueued[0] })).to.equal('done');
    expect(await deadLetters.get(id), 'still not known').not.to.equal(undefined);
    expect([...(await stores.deliveries(source.source_id)).keys()]).to.deep.equal([]);

    await pipeline({ id: '3', data: { ...enqueued[0], refusals: [{ ...refusal, received_at: 1 }] } });
    const row = (await stores.deliveries(source.source_id)).get(id);
    expect(row).to.include({ outcome: 'rejected', code: refusal?.code });
    expect(row?.received_at, 'older than the log').to.be.above(Date.now() - DAY_MS);
    expect(await deadLetters.get(id)).to.equal(undefined);
  });
});
