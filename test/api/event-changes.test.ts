import type { Delivery, Outcome } from '@sluice/contract/delivery/delivery';
import type { EventState } from '@sluice/contract/event/event-state';
import type { DeliveryChange } from '@sluice/dashboard-api/event-changes';
import { expect } from 'chai';
import { changesOf } from '../../services/api/src/events/changes.ts';

type Change = Omit<DeliveryChange, 'delivery_id'>;

/** A row of the log. Its sequence number is also its id. `event`: the stored body. */
function row(
  sequence: number,
  outcome: Outcome,
  event?: object,
  action: Delivery['action'] = 'upsert',
): Delivery {
  const body = JSON.stringify({ action, event: { title: 'Yoga', starts_at: '2027-01-01T10:00Z', ...event } });
  const headers = { content_type: 'application/json', user_agent: '', timestamp: '1', signature_start: '' };
  return {
    delivery_id: `dlv_${sequence}`,
    source_id: 'src_1',
    account_id: 'acc_1',
    received_at: 1000 + sequence,
    action,
    title: 'Yoga',
    http_status: 200,
    outcome,
    code: null,
    request_id: null,
    sequence,
    event_id: 'evt_1',
    duplicate_of: null,
    reason: null,
    count: 1,
    ...(event !== undefined && { request: { ...headers, bytes: body.length, body } }),
  };
}

const cancel = (sequence: number, outcome: Outcome = 'cancelled') =>
  row(sequence, outcome, undefined, 'cancel');
const remove = (sequence: number, outcome: Outcome = 'deleted') =>
  row(sequence, outcome, undefined, 'delete');

/** The changes of each row, in order. The rows are passed in reverse order, which must not matter. */
function changes(rows: readonly Delivery[], state?: EventState): Change[] {
  const of = changesOf({ rows: rows.toReversed(), beforeFirst: 'before_left_log', state, mapper: undefined });
  return rows.map(({ delivery_id }) => of.get(delivery_id) as Change);
}

const NOTHING: Change = { did: 'nothing', fields: [], unknown: null };
const field = (name: string, before: string | null, after: string | null) => ({ field: name, before, after });

describe('changes that deliveries made to their event', () => {
  it('list the fields that were added, changed and removed', () => {
    const rows = [
      row(1, 'created', { price: 'Free', ends_at: '2027-01-01T12:00+01:00' }),
      row(2, 'updated', { price: '12 EUR', url: 'https://example.com/', ends_at: '2027-01-01T11:00Z' }),
      row(3, 'updated', { price: '12 EUR', url: 'https://example.com/' }),
      row(4, 'updated', { price: '12 EUR', url: 'https://example.com/', ends_at: '' }),
    ];
    expect(changes(rows)).to.deep.equal([
      {
        did: 'created',
        fields: [
          field('status', null, 'upcoming'),
          field('ends_at', null, '2027-01-01T11:00:00.000Z'),
          field('price', null, 'Free'),
        ],
        unknown: null,
      },
      {
        did: 'updated',
        fields: [field('url', null, 'https://example.com/'), field('price', 'Free', '12 EUR')],
        unknown: null,
      },
      { did: 'updated', fields: [field('ends_at', '2027-01-01T11:00:00.000Z', null)], unknown: null },
      { did: 'updated', fields: [], unknown: null },
    ]);
  });

  it('show that the event was cancelled, deleted and brought back', () => {
    const rows = [
      row(1, 'created', {}),
      cancel(2),
      row(3, 'updated', {}),
      cancel(4),
      cancel(5),
      remove(6),
      cancel(7, 'not_found'),
      row(8, 'created', { price: 'Free' }),
    ];
    const cancelled = { did: 'cancelled', fields: [field('status', 'upcoming', 'cancelled')], unknown: null };
    expect(changes(rows).slice(1)).to.deep.equal([
      cancelled,
      { did: 'updated', fields: [field('status', 'cancelled', 'upcoming')], unknown: null },
      cancelled,
      { ...cancelled, fields: [] },
      { did: 'deleted', fields: [field('status', 'cancelled', null)], unknown: null },
      NOTHING,
      {
        did: 'brought_back',
        fields: [field('status', null, 'upcoming'), field('price', null, 'Free')],
        unknown: null,
      },
    ]);
  });

  it('are none for superseded, duplicate and failed deliveries, which the next comparison skips', () => {
    const rows = [
      row(1, 'created', { price: 'Free' }),
      row(2, 'superseded', { price: '5 EUR' }),
      row(3, 'failed', { price: '6 EUR' }),
      row(4, 'duplicate', { price: '7 EUR' }),
      row(5, 'updated', { price: '12 EUR' }),
    ];
    const [, ...rest] = changes(rows);
    expect(rest).to.deep.equal([
      NOTHING,
      NOTHING,
      NOTHING,
      { did: 'updated', fields: [field('price', 'Free', '12 EUR')], unknown: null },
    ]);
  });

  it('include a cancel that was applied before the upsert it follows', () => {
    const rows = [row(1, 'created', {}), cancel(2, 'not_found'), row(3, 'updated', {})];
    expect(changes(rows).slice(1)).to.deep.equal([
      NOTHING,
      { did: 'updated', fields: [field('status', 'cancelled', 'upcoming')], unknown: null },
    ]);
  });

  it('are unknown if the body was not stored, and the next delivery shows its values without those before', () => {
    const rows = [
      row(1, 'created', { price: 'Free' }),
      row(2, 'updated'),
      row(3, 'updated', { price: '12 EUR' }),
    ];
    expect(changes(rows).slice(1)).to.deep.equal([
      { did: 'updated', fields: [], unknown: 'body_not_kept' },
      {
        did: 'updated',
        fields: [
          { field: 'status', after: 'upcoming' },
          { field: 'price', after: '12 EUR' },
        ],
        unknown: 'body_before_not_kept',
      },
    ]);
  });

  it('are read from the event if it has the values of the delivery and the body was not stored', () => {
    const rows = [row(1, 'created', { price: 'Free' }), row(2, 'updated'), cancel(3)];
    const content = { sequence: 2, value: { price: '12 EUR' } };
    const state = { content, status: { sequence: 2, value: 'upcoming' }, deleted: null, created: 1 } as const;
    const [, updated, cancelled] = changes(rows, state);
    expect(updated).to.deep.equal({
      did: 'updated',
      fields: [field('price', 'Free', '12 EUR')],
      unknown: null,
    });
    expect(cancelled?.fields).to.deep.equal([field('status', 'upcoming', 'cancelled')]);
    const later = { ...state, status: { sequence: 3, value: 'cancelled' } } as const;
    expect(changes(rows, later).slice(1)).to.deep.equal([
      { did: 'updated', fields: [field('price', 'Free', '12 EUR')], unknown: 'body_not_kept' },
      {
        did: 'cancelled',
        fields: [{ field: 'status', after: 'cancelled' }],
        unknown: 'body_before_not_kept',
      },
    ]);
  });

  it('are not fully known if the previous delivery has left the log', () => {
    const before_left = 'before_left_log';
    expect(changes([row(1, 'updated', { price: 'Free' }), remove(2)])).to.deep.equal([
      {
        did: 'updated',
        fields: [
          { field: 'status', after: 'upcoming' },
          { field: 'price', after: 'Free' },
        ],
        unknown: before_left,
      },
      {
        did: 'deleted',
        fields: [field('status', 'upcoming', null), field('price', 'Free', null)],
        unknown: null,
      },
    ]);
    expect(changes([cancel(1), row(2, 'updated', {})])).to.deep.equal([
      { did: 'cancelled', fields: [{ field: 'status', after: 'cancelled' }], unknown: before_left },
      { did: 'updated', fields: [field('status', 'cancelled', 'upcoming')], unknown: before_left },
    ]);
    expect(changes([remove(1), remove(2, 'not_found')])).to.deep.equal([
      { did: 'deleted', fields: [], unknown: before_left },
      NOTHING,
    ]);
  });
});
