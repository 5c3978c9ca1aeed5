import { describeEvent, eventRecord } from '@sluice/contract/event/event-record';
import type { EventState } from '@sluice/contract/event/event-state';
import { expect } from 'chai';

const EVENT = {
  event_id: 'evt_1',
  source_id: 'src_1',
  identity: { title: 'Open day', starts_at: 1_796_144_400_000, location: '' },
};
const [CREATED, CANCELLED, DELETED] = [
  1_795_244_762_000_001, 1_795_244_763_000_001, 1_795_244_764_000_001,
] as const;

describe('contract: an event in messages', () => {
  const of = (state: EventState) => eventRecord.strict().parse(describeEvent({ ...EVENT, state }));

  it('has every key, and null for what was not sent', () => {
    const state: EventState = {
      content: { sequence: CREATED, value: { price: '5 EUR' } },
      status: { sequence: CANCELLED, value: 'cancelled' },
      deleted: null,
      created: CREATED,
    };
    expect(of(state)).to.deep.equal({
      id: 'evt_1',
      source_id: 'src_1',
      title: 'Open day',
      starts_at: '2026-12-01T17:00:00.000Z',
      ends_at: null,
      location: null,
      description: null,
      url: null,
      price: '5 EUR',
      recurring: null,
      external_id: null,
      status: 'cancelled',
      origin: 'webhook',
      created_at: '2026-11-21T07:06:02.000Z',
      updated_at: '2026-11-21T07:06:03.000Z',
      deleted_at: null,
    });
  });

  it('keeps its identity once it is deleted', () => {
    const state: EventState = { content: null, status: null, deleted: DELETED, created: CREATED };
    expect(of(state)).to.include({
      title: 'Open day',
      price: null,
      external_id: null,
      status: null,
      origin: null,
      created_at: '2026-11-21T07:06:02.000Z',
      updated_at: '2026-11-21T07:06:04.000Z',
      deleted_at: '2026-11-21T07:06:04.000Z',
    });
  });
});
