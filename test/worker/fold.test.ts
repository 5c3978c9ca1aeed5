import { type EventState, NO_EVENT } from '@sluice/contract/event-state';
import { expect } from 'chai';
import { fold } from '../../services/worker/src/apply/fold.ts';
import { cancel, type Numbered, remove, upsert } from './support/arbitrary-actions.ts';

/** Folds in the order given, which need not be that of the numbers, and tells every outcome. */
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
  it('an upsert that comes after a newer cancel is created as cancelled', () => {
    const { state, outcomes } = run([2, cancel], [1, upsert('a')]);
    expect(outcomes).to.equal('not_found created');
    expect(state.status).to.deep.equal({ sequence: 2, value: 'cancelled' });
    expect(state.content).to.deep.equal({ sequence: 1, value: { price: 'a' } });
  });

  it('an upsert that comes after a newer delete revives nothing, but is remembered as the first', () => {
    const { state, outcomes } = run([5, upsert('b')], [9, remove], [2, upsert('a')]);
    expect(outcomes).to.equal('created deleted superseded');
    expect(state).to.deep.equal({ content: null, status: null, deleted: 9, created: 2 });
  });

  it('a delete older than the content takes nothing', () => {
    const { state, outcomes } = run([1, upsert('a')], [3, upsert('b')], [2, remove]);
    expect(outcomes).to.equal('created updated superseded');
    expect(state.content?.value).to.deep.equal({ price: 'b' });
    expect(state.deleted).to.equal(2);
  });

  it('a delete leaves the marker of a newer cancel, so that an upsert between the two is cancelled', () => {
    const { state, outcomes } = run([1, upsert('a')], [5, cancel], [2, remove], [4, upsert('b')]);
    expect(outcomes).to.equal('created cancelled deleted created');
    expect(state.status).to.deep.equal({ sequence: 5, value: 'cancelled' });
    expect(state.content).to.deep.equal({ sequence: 4, value: { price: 'b' } });
  });

  it('a cancel that is older than the deletion says so, and leaves no marker', () => {
    const { state, outcomes } = run([2, remove], [1, cancel]);
    expect(outcomes).to.equal('not_found superseded');
    expect(state).to.deep.equal({ ...NO_EVENT, deleted: 2 });
  });

  it('a delete that is older than another says so, and changes nothing', () => {
    const { state, outcomes } = run([1, upsert('a')], [4, remove], [3, remove], [4, remove]);
    expect(outcomes).to.equal('created deleted superseded duplicate');
    expect(state).to.deep.equal({ content: null, status: null, deleted: 4, created: 1 });
  });

  it('a delete takes an older marker along', () => {
    const { state, outcomes } = run([1, cancel], [2, remove], [3, upsert('a')]);
    expect(outcomes).to.equal('not_found not_found created');
    expect(state.status).to.deep.equal({ sequence: 3, value: 'upcoming' });
  });

  it('an upsert that is older than the content but newer than the deletion is superseded', () => {
    expect(run([1, remove], [5, upsert('b')], [3, upsert('a')]).outcomes).to.equal(
      'not_found created superseded',
    );
  });

  it('an action repeated at once is a duplicate', () => {
    const outcomes = [upsert('a'), cancel, remove].map((action) => run([7, action], [7, action]).outcomes);
    expect(outcomes).to.deep.equal(['created duplicate', 'not_found duplicate', 'not_found duplicate']);
  });

  it('an upsert clears what it does not carry', () => {
    const [full, bare] = [upsert('a'), { ...upsert('b'), content: {} }];
    expect(run([1, full], [2, bare]).state.content?.value).to.deep.equal({});
  });
});
