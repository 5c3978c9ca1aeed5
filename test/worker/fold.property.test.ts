import type { Outcome } from '@sluice/contract/delivery/delivery';
import { type EventState, NO_EVENT } from '@sluice/contract/event/event-state';
import { assert } from 'chai';
import fc from 'fast-check';
import { fold } from '../../services/worker/src/apply/fold-action.ts';
import { sized } from '../support/size.ts';
import { arbitraryDisorder, arbitraryHistory, type Numbered } from './support/arbitrary-actions.ts';
import { createOracle } from './support/oracle.ts';

const RUNS = { numRuns: sized({ short: 300, middle: 2_000, long: 20_000 }) };

function foldAll(actions: readonly Numbered[], from: EventState = NO_EVENT): EventState {
  return actions.reduce((state, { action, sequence }) => fold(state, action, sequence).state, from);
}

function sequenceOf(kinds: readonly string[], history: readonly Numbered[]): number {
  return Math.max(
    ...history.filter(({ action }) => kinds.includes(action.kind)).map(({ sequence }) => sequence),
  );
}

describe('the fold', () => {
  it('ends in the in-order state for any order and any repetition of the same actions', () => {
    fc.assert(
      fc.property(arbitraryDisorder, ({ history, shuffled }) => {
        assert.deepEqual(foldAll(shuffled), foldAll(history));
      }),
      RUNS,
    );
  });

  it('ends in the same state for any split of the actions into groups that run repeatedly', () => {
    const split = fc.record({ disorder: arbitraryDisorder, cuts: fc.array(fc.nat(28), { maxLength: 4 }) });
    fc.assert(
      fc.property(split, ({ disorder: { history, shuffled }, cuts }) => {
        const places = [
          0,
          ...cuts.filter((cut) => cut < shuffled.length).sort((a, b) => a - b),
          shuffled.length,
        ];
        const groups = places.slice(1).map((end, index) => shuffled.slice(places[index], end));
        // Within a group actions are folded in the order of their numbers; every group runs twice.
        const inGroup = (group: Numbered[]) => [...group].sort((a, b) => a.sequence - b.sequence);
        const applied = groups.flatMap((group) => [...inGroup(group), ...inGroup(group)]);
        assert.deepEqual(foldAll(applied), foldAll(history));
      }),
      RUNS,
    );
  });

  it("returns the sender's expected outcomes and event if the order is kept", () => {
    fc.assert(
      fc.property(arbitraryHistory, (history) => {
        const oracle = createOracle();
        let state = NO_EVENT;
        for (const { action, sequence } of history) {
          const folded = fold(state, action, sequence);
          assert.equal(folded.outcome, oracle.apply('event', action));
          state = folded.state;
          const event = oracle.event('event');
          assert.deepEqual(state.content?.value, event?.content);
          if (event !== undefined) assert.equal(state.status?.value, event.status);
        }
      }),
      RUNS,
    );
  });

  it('keeps the state in canonical form for any actions', () => {
    fc.assert(
      fc.property(arbitraryDisorder, ({ history, shuffled }) => {
        const { content, status, deleted, created } = foldAll(shuffled);
        const gone = deleted ?? 0;
        if (content !== null) {
          assert.isAbove(content.sequence, gone);
          assert.isNotNull(status, 'an event has a status');
          assert.isAtLeast(status?.sequence ?? 0, content.sequence);
        }
        if (status !== null) assert.isAbove(status.sequence, gone);
        const upserts = history
          .filter(({ action }) => action.kind === 'upsert')
          .map(({ sequence }) => sequence);
        assert.equal(created, upserts.length === 0 ? null : Math.min(...upserts));
        assert.equal(deleted ?? Number.NEGATIVE_INFINITY, sequenceOf(['delete'], history));
      }),
      RUNS,
    );
  });

  it('reports a change exactly when the state changed, as each effect does and no duplicate', () => {
    const effects: Outcome[] = ['created', 'updated', 'cancelled', 'deleted'];
    fc.assert(
      fc.property(arbitraryDisorder, ({ shuffled }) => {
        let state = NO_EVENT;
        for (const { action, sequence } of shuffled) {
          const folded = fold(state, action, sequence);
          const same = JSON.stringify(folded.state) === JSON.stringify(state);
          assert.equal(folded.changed, !same);
          if (effects.includes(folded.outcome)) assert.isTrue(folded.changed);
          if (folded.outcome === 'duplicate') assert.isFalse(folded.changed);
          state = folded.state;
        }
      }),
      RUNS,
    );
  });
});
