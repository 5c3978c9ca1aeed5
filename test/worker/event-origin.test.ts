import type { AdmittedAction } from '@sluice/contract/groups';
import type { StoredEvent } from '@sluice/store/event-document';
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

describe('worker: where the content of an event came from', () => {
  it('goes with the content that has its say, in whatever order the actions come', () => {
    expect(originAfter(upsert(1), upsert(2, 'csv'))).to.equal('csv');
    expect(originAfter(upsert(2, 'csv'), upsert(1))).to.equal('csv');
    expect(originAfter(upsert(1, 'csv'), upsert(2))).to.equal(undefined);
    expect(originAfter(upsert(2), upsert(1, 'csv'))).to.equal(undefined);
    expect(originAfter(upsert(1, 'csv'), upsert(1, 'csv'))).to.equal('csv');
  });

  it('an action of the dashboard repeats what came by the webhook', () => {
    expect(originAfter(upsert(1), upsert(2, 'dashboard'))).to.equal(undefined);
  });
});
