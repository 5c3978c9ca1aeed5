import type { Delivery } from '@sluice/contract/delivery/delivery';
import { expect } from 'chai';
import { collect, delivery, SEQUENCE, useStore } from './support.ts';

const RECEIVED = 1_795_250_000_000;

describe('the delivery log', () => {
  const used = useStore();
  const list = (source_id: string, limit?: number) =>
    collect(used.store.deliveries.listDeliveries({ source_id, ...(limit !== undefined && { limit }) }));

  it('returns rows exactly as they were inserted', async () => {
    const refused = delivery({
      source_id: 'src_a',
      delivery_id: 'dlv_a2',
      received_at: RECEIVED - 1,
      action: null,
      title: null,
      http_status: 401,
      outcome: 'rejected',
      code: 'signature_invalid',
      sequence: null,
      event_id: null,
      reason: 'The signature is not right.',
    });
    // Required<Delivery>: a field added to the type must be added here.
    const accepted: Required<Delivery> = {
      ...delivery({ source_id: 'src_a', delivery_id: 'dlv_a1', sequence: Number.MAX_SAFE_INTEGER }),
      title: 'Grüße 🎉\u{0}',
      applied_at: RECEIVED + 5,
      origin: 'dashboard',
      reprocess_of: 'dlv_a0',
      signed_with: 'previous',
      conversation_id: 'conv_1',
      unapplied: 'no_rule',
      mapped: { preset: 'calendly', version: 1, rule: 0, note: 'url was omitted.' },
      external_id: 'booking-4711',
      request: {
        content_type: 'application/json',
        user_agent: '',
        timestamp: '1795250000',
        signature_start: 'sha256=01234567',
        bytes: 2,
        body: '{}',
      },
    };
    await used.store.deliveries.insertDeliveries([refused, accepted]);
    expect(await list('src_a')).to.deep.equal([accepted, refused]);
  });

  it('stores each row once when a job is retried, and adds the new rows among them', async () => {
    const rows = ['1', '2', '3', '4'].map((n) => delivery({ source_id: 'src_b', delivery_id: `dlv_b${n}` }));
    await used.store.deliveries.insertDeliveries(rows.slice(0, 2));
    await used.store.deliveries.insertDeliveries(
      rows.map((row) => ({ ...row, outcome: 'updated' as const })),
    );
    const logged = await list('src_b');
    expect(logged.map((row) => row.delivery_id).sort()).to.deep.equal(rows.map((row) => row.delivery_id));
    expect(logged.filter((row) => row.outcome === 'created')).to.have.length(2);
    await used.store.deliveries.insertDeliveries([]);
  });

  it('lists the newest first, and within a millisecond the last admitted first', async () => {
    await used.store.deliveries.insertDeliveries([
      delivery({ source_id: 'src_c', delivery_id: 'dlv_c1', sequence: SEQUENCE }),
      delivery({ source_id: 'src_c', delivery_id: 'dlv_c3', received_at: RECEIVED + 5 }),
      delivery({ source_id: 'src_c', delivery_id: 'dlv_c2', sequence: SEQUENCE + 1 }),
    ]);
    expect((await list('src_c')).map((row) => row.delivery_id)).to.deep.equal(['dlv_c3', 'dlv_c2', 'dlv_c1']);
    expect((await list('src_c', 2)).map((row) => row.delivery_id)).to.deep.equal(['dlv_c3', 'dlv_c2']);
  });

  it('lists the history of an event newest first, and within a millisecond the last admitted first', async () => {
    const { deliveries, deliverySearch } = used.store;
    await deliveries.insertDeliveries(
      [2, 4, 1, 3].map((n) =>
        delivery({ event_id: 'evt_g', delivery_id: `dlv_g${n}`, sequence: SEQUENCE + n }),
      ),
    );
    const newestFirst = ['dlv_g4', 'dlv_g3', 'dlv_g2', 'dlv_g1'];
    for (const rows of [
      await deliverySearch.historyOfEvent('evt_g', 10),
      await deliverySearch.historyWithBodies('evt_g', 10),
    ])
      expect(rows.map(({ delivery_id }) => delivery_id)).to.deep.equal(newestFirst);
  });

  it('limits the history of an event to rows with the wanted outcomes', async () => {
    const { deliveries, deliverySearch } = used.store;
    await deliveries.insertDeliveries([
      delivery({ event_id: 'evt_o', delivery_id: 'dlv_o1', sequence: SEQUENCE + 1, outcome: 'created' }),
      delivery({ event_id: 'evt_o', delivery_id: 'dlv_o2', sequence: SEQUENCE + 2, outcome: 'superseded' }),
    ]);
    const rows = await deliverySearch.historyWithBodies('evt_o', 1, ['created', 'updated']);
    expect(rows.map(({ delivery_id }) => delivery_id)).to.deep.equal(['dlv_o1']);
  });

  it('replaces the row of a retried dead letter', async () => {
    const row = delivery({
      source_id: 'src_d',
      delivery_id: 'dlv_d',
      outcome: 'failed',
      reason: 'too large',
    });
    await used.store.deliveries.insertDeliveries([row]);
    const applied = { ...row, outcome: 'created' as const, reason: null };
    await used.store.deliveries.replaceDelivery(applied);
    await used.store.deliveries.replaceDelivery(applied);
    expect(await list('src_d')).to.deep.equal([applied]);
  });

  it('counts folded refusals in one row for each minute, source and code, also with repeated or late writes', async () => {
    const refusals = (count: number, rest = {}) =>
      used.store.deliveries.upsertCounterRows([
        delivery({
          source_id: 'src_e',
          code: 'signature_invalid',
          outcome: 'rejected',
          request_id: null,
          count,
          ...rest,
        }),
      ]);
    await Promise.all([3, 9, 4, 1].map((count) => refusals(count, { delivery_id: `dlv_any${count}` })));
    await refusals(7, { received_at: RECEIVED + 100 });
    expect((await list('src_e')).map(({ count }) => count)).to.deep.equal([9]);
    await refusals(2, { received_at: RECEIVED + 60_000 });
    await refusals(1, { code: 'signature_missing', received_at: RECEIVED + 1 });
    await refusals(5, { source_id: 'src_f' });
    expect((await list('src_e')).map(({ count, code }) => `${count} ${code}`)).to.have.members([
      '2 signature_invalid',
      '9 signature_invalid',
      '1 signature_missing',
    ]);
  });
});
