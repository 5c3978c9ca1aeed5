import { contentToRestore } from '@sluice/api/events/restore';
import type { Delivery, Outcome } from '@sluice/contract/delivery/delivery';
import type { DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { expect } from 'chai';

/** A row of the log. `place`: the minute of its arrival. `body`: whether its body is stored. */
function row(place: number, sequence: number | null, outcome: Outcome, body = true): Delivery {
  const event = { title: 'Yoga', starts_at: '2027-01-01T10:00Z' };
  const request = { content_type: 'application/json', user_agent: '', timestamp: '1', signature_start: '' };
  return {
    ...{ delivery_id: `${place} ${outcome}`, source_id: 'src_1', account_id: 'acc_1', event_id: 'evt_1' },
    ...{ received_at: place * 60_000, action: 'upsert', title: 'Yoga', http_status: 200, outcome },
    ...{ code: null, request_id: null, sequence, duplicate_of: null, reason: null, count: 1 },
    ...(body && { request: { ...request, bytes: 1, body: JSON.stringify({ action: 'upsert', event }) } }),
  };
}

/** The delivery whose content a restore uses. The log lists rows in the order of their arrival, newest first. */
function restoredFrom(...rows: readonly Delivery[]) {
  const newestFirst = rows.toSorted((a, b) => b.received_at - a.received_at);
  const event = { event_id: 'evt_1', deleted_at: 1 } as ListedEvent;
  const historyWithBodies: DeliverySearch['historyWithBodies'] = async (_, limit, outcomes) =>
    newestFirst.filter(({ outcome }) => outcomes?.includes(outcome) ?? true).slice(0, limit);
  return contentToRestore({ deliverySearch: { historyWithBodies }, mapper: undefined }, event);
}

describe('api: the content that a restore gives to a deleted event', () => {
  const created = row(1, 10, 'created');

  for (const outcome of ['superseded', 'duplicate', 'failed', 'rejected', 'not_found'] as const)
    it(`is not that of a later row with the outcome ${outcome}`, async () => {
      expect((await restoredFrom(created, row(2, 20, outcome)))?.delivery_id).to.equal('1 created');
    });

  it('is found behind any number of later rows that set no content', async () => {
    const later = Array.from({ length: 150 }, (_, n) => row(n + 2, n + 20, 'superseded'));
    expect((await restoredFrom(created, ...later))?.delivery_id).to.equal('1 created');
  });

  it('is that of the highest sequence number, not of the last arrival', async () => {
    const from = await restoredFrom(row(3, 11, 'created'), row(2, 12, 'updated'));
    expect(from).to.deep.include({ delivery_id: '2 updated', is_latest: true });
  });

  it('is marked as not the latest if the body of a later change is not stored', async () => {
    const from = await restoredFrom(created, row(2, 20, 'updated', false));
    expect(from).to.deep.include({ delivery_id: '1 created', is_latest: false });
  });

  it('is none if no body is stored', async () => {
    expect(await restoredFrom(row(1, 10, 'created', false))).to.equal(null);
  });
});
