import type { ChangeHead, OutboundChange } from '@sluice/store/outbound/outbound-changes';
import { expect } from 'chai';
import { useStore } from './support.ts';

const change = (change_id: string, rest: Partial<OutboundChange> = {}): OutboundChange => ({
  change_id,
  account_id: 'acc_1',
  kind: 'event.created',
  record_id: 'evt_1',
  sequence: 1,
  at: 1_795_250_000_000,
  text: `"type":"event.created"}`,
  source_id: 'src_1',
  ...rest,
});

describe('store: outbound changes', () => {
  const used = useStore();
  const changes = () => used.store.outboundChanges;
  const idsOf = (found: readonly OutboundChange[]) => found.map(({ change_id }) => change_id);

  it('stores each change once, however often it is published', async () => {
    await changes().appendChanges([]);
    await changes().appendChanges([change('once_1')]);
    await changes().appendChanges([change('once_1', { text: 'other' }), change('once_2')]);
    const texts = await changes().findTexts(['once_1', 'once_2', 'once_3']);
    expect([...texts].sort()).to.deep.equal([
      ['once_1', change('').text],
      ['once_2', change('').text],
    ]);
  });

  it('pages through an account from an instant on, oldest first, each change once', async () => {
    const account_id = 'acc_pages';
    const kinds = ['event.created', 'lead.created'] as const;
    const all = Array.from({ length: 25 }, (_, i) =>
      // Several changes share a millisecond.
      change(`page_${String(i).padStart(2, '0')}`, {
        account_id,
        at: 1_000 + Math.floor(i / 4),
        kind: kinds[i % 2] as 'event.created',
      }),
    );
    await changes().appendChanges([...all].reverse());
    await changes().appendChanges([
      change('page_other_kind', { account_id, at: 1_003, kind: 'event.deleted' }),
      change('page_other_account', { at: 1_003 }),
    ]);
    const seen: ChangeHead[] = [];
    for (let after: ChangeHead | undefined; ; after = seen.at(-1)) {
      const page = await changes().pageChanges({ account_id, kinds, since: 1_002, after, limit: 3 });
      seen.push(...page);
      if (page.length < 3) break;
    }
    expect(seen).to.deep.equal(all.slice(8).map(({ text: _, ...head }) => head));
  });

  it('finds the newest changes of a kind', async () => {
    const account_id = 'acc_newest';
    const rows = [1, 2, 3].map((at) => change(`newest_${at}`, { account_id, at }));
    await changes().appendChanges([
      ...rows,
      change('newest_4', { account_id, at: 4, kind: 'event.deleted' }),
    ]);
    const found = await changes().newestChanges({ account_id, kind: 'event.created', limit: 2 });
    expect(idsOf(found)).to.deep.equal(['newest_3', 'newest_2']);
  });

  it('erases the changes of a lead, and keeps that it was erased', async () => {
    const lead = { record_id: 'lead_1', kind: 'lead.created', stage: 'stg_new' } as const;
    await changes().appendChanges([
      change('erase_1', lead),
      change('erase_2', { ...lead, kind: 'lead.updated' }),
      change('erase_3', { ...lead, kind: 'lead.erased' }),
      change('erase_4', { ...lead, record_id: 'lead_2' }),
    ]);
    expect(await changes().erasableIds('acc_2', 'lead_1')).to.deep.equal([]);
    const ids = await changes().erasableIds('acc_1', 'lead_1');
    await changes().removeChanges(ids);
    expect([...ids].sort()).to.deep.equal(['erase_1', 'erase_2']);
    const texts = await changes().findTexts(['erase_1', 'erase_2', 'erase_3', 'erase_4']);
    expect([...texts.keys()].sort()).to.deep.equal(['erase_3', 'erase_4']);
  });

  it('are kept for 30 days', async () => {
    const indexes = await used.mongo.db.collection('outbound_changes').listIndexes().toArray();
    expect(indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)).to.include({
      expireAfterSeconds: 30 * 86_400,
    });
  });
});
