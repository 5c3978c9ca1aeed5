import { type EventState, NO_EVENT } from '@sluice/contract/event/event-state';
import { expect } from 'chai';
import { fold } from '../../services/worker/src/apply/fold-action.ts';
import { cancel, type Numbered, remove, upsert } from './support/arbitrary-actions.ts';

/** Folds in the given order, which may differ from the sequence, and returns every outcome. */
function run(...actions: [number, Numbered['action']][]): { state: EventState; outcomes: string } {
  let state = NO_EVENT;
  const outcomes = actions.map(([sequence, action]) => {
    const folded = fold(state, action, sequence);
    state = folded.state;
    return folded.outcome;
  });
  return { state, outcomes: outcomes.join(' ') };
}

describe('the fold, case by case', () => {
  it('creates an event as cancelled if its upsert arrives after a newer cancel', () => {
    const { state, outcomes } = run([2, cancel], [1, upsert('a')]);
    expect(outcomes).to.equal('not_found created');
    expect(state.status).to.deep.equal({ sequence: 2, value: 'cancelled' });
    expect(state.content).to.deep.equal({ sequence: 1, value: { price: 'a' } });
  });

  it('does not revive an event for an upsert that arrives after a newer delete, but remembers it as the first', () => {
    const { state, outcomes } = run([5, upsert('b')], [9, remove], [2, upsert('a')]);
    expect(outcomes).to.equal('created deleted superseded');
    expect(state).to.deep.equal({ content: null, status: null, deleted: 9, created: 2 });
  });

  it('keeps the content if a delete is older', () => {
    const { state, outcomes } = run([1, upsert('a')], [3, upsert('b')], [2, remove]);
    expect(outcomes).to.equal('created updated superseded');
    expect(state.content?.value).to.deep.equal({ price: 'b' });
    expect(state.deleted).to.equal(2);
  });

  it('keeps the marker of a newer cancel after a delete, so that an upsert between the two is cancelled', () => {
    const { state, outcomes } = run([1, upsert('a')], [5, cancel], [2, remove], [4, upsert('b')]);
    expect(outcomes).to.equal('created cancelled deleted created');
    expect(state.status).to.deep.equal({ sequence: 5, value: 'cancelled' });
    expect(state.content).to.deep.equal({ sequence: 4, value: { price: 'b' } });
  });

  it('reports a cancel older than the deletion as superseded, and leaves no marker', () => {
    const { state, outcomes } = run([2, remove], [1, cancel]);
    expect(outcomes).to.equal('not_found superseded');
    expect(state).to.deep.equal({ ...NO_EVENT, deleted: 2 });
  });

  it('reports a delete older than another as superseded, and changes nothing', () => {
    const { state, outcomes } = run([1, upsert('a')], [4, remove], [3, remove], [4, remove]);
    expect(outcomes).to.equal('created deleted superseded duplicate');
    expect(state).to.deep.equal({ content: null, status: null, deleted: 4, created: 1 });
  });

  it('removes an older marker with a delete', () => {
    const { state, outcomes } = run([1, cancel], [2, remove], [3, upsert('a')]);
    expect(outcomes).to.equal('not_found not_found created');
    expect(state.status).to.deep.equal({ sequence: 3, value: 'upcoming' });
  });

  it('reports an upsert older than the content but newer than the deletion as superseded', () => {
    expect(run([1, remove], [5, upsert('b')], [3, upsert('a')]).outcomes).to.equal(
      'not_found created superseded',
    );
  });

  it('reports an immediately repeated action as a duplicate', () => {
    const outcomes = [upsert('a'), cancel, remove].map((action) => run([7, action], [7, action]).outcomes);
    expect(outcomes).to.deep.equal(['created duplicate', 'not_found duplicate', 'not_found duplicate']);
  });

  it('clears the fields that an upsert lacks', () => {
    const [full, bare] = [upsert('a'), { ...upsert('b'), content: {} }];
    expect(run([1, full], [2, bare]).state.content?.value).to.deep.equal({});
  });
});
