import type { EventItem } from '@sluice/dashboard-api/events';
import { expect } from 'chai';
import { draftOf, rebased } from '../../services/dashboard/src/pages/events/event-draft.ts';
import { editedSince, NO_DRAFT } from '../../services/dashboard/src/pages/leads/lead-draft.ts';

describe('dashboard: drafts', () => {
  it('a draft of a lead is none once all of it is saved, also if a field was typed back meanwhile', () => {
    const sent = { texts: { name: 'Ada' }, tags: ['a'], fields: { seats: 3 } };
    expect(editedSince(sent, sent)).to.equal(NO_DRAFT);
    expect(editedSince(sent, { texts: { name: 'Ada' }, tags: sent.tags, fields: { seats: 3 } })).to.equal(
      NO_DRAFT,
    );
  });

  it('a draft of a lead keeps what was typed after it was sent', () => {
    const sent = { texts: { name: 'Ada' }, fields: {} };
    const now = { texts: { name: 'Ada L.', note: 'New' }, tags: ['b'], fields: {} };
    expect(editedSince(sent, now)).to.deep.equal(now);
  });

  it('a draft of an event keeps its edits on a new version, and takes the rest from it', () => {
    const before = {
      ...{ title: 'Jazz', starts_at: '2030-05-01T20:00:00.000Z', ends_at: null, location: 'Hall' },
      ...{ description: null, url: null, price: '10 EUR', recurring: null, status: 'upcoming' },
    } as unknown as EventItem;
    const now = { ...before, price: '14 EUR', location: 'Garden' };
    const draft = { ...draftOf(before), description: 'Typed', price: '12 EUR' };
    expect(rebased(before, draft, now)).to.deep.equal({
      ...draftOf(now),
      description: 'Typed',
      price: '12 EUR',
    });
  });
});
