import type { AdmittedAction } from '@sluice/contract/delivery/groups';
import type { StoredEvent } from '@sluice/store/events/event-document';
import { expect } from 'chai';
import { foldEvent } from '../../services/worker/src/apply/fold-event.ts';
import { admitted, ids } from './support/admitted-upsert.ts';

const upsert = (sequence: number, origin?: 'csv' | 'dashboard'): AdmittedAction =>
  admitted(sequence, origin !== undefined ? { origin } : {});

function originAfter(...actions: AdmittedAction[]): string | undefined {
  let stored: StoredEvent | undefined;
  for (const action of actions) stored = foldEvent({ ...ids, actions: [action] }, stored).event;
  return stored?.state.content?.origin;
}

describe('worker: origin of the content of an event', () => {
  it('is the origin of the winning content, in whatever order the actions arrive', () => {
    expect(originAfter(upsert(1), upsert(2, 'csv'))).to.equal('csv');
    expect(originAfter(upsert(2, 'csv'), upsert(1))).to.equal('csv');
    expect(originAfter(upsert(1, 'csv'), upsert(2))).to.equal(undefined);
    expect(originAfter(upsert(2), upsert(1, 'csv'))).to.equal(undefined);
    expect(originAfter(upsert(1, 'csv'), upsert(1, 'csv'))).to.equal('csv');
  });

  it('is absent after a dashboard action, which repeats a webhook', () => {
    expect(originAfter(upsert(1), upsert(2, 'dashboard'))).to.equal(undefined);
  });
});
