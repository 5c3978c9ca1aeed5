import { OUTCOMES, type Outcome } from '@sluice/contract/delivery/delivery';
import { NO_OUTCOMES, outcomeIn, withOutcomes } from '@sluice/store/events/recent-outcomes';
import { assert } from 'chai';
import fc from 'fast-check';

const sequence = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const few = fc.oneof(sequence, fc.integer({ min: 1, max: 30 }));
const outcomes = fc
  .array(fc.tuple(few, fc.constantFrom(...OUTCOMES)), { maxLength: 40 })
  .map((entries) => new Map<number, Outcome>(entries));

describe('store: remembered outcomes of an event', () => {
  it('are found by their exact sequence number only', () => {
    fc.assert(
      fc.property(outcomes, few, (now, other) => {
        const recent = withOutcomes(NO_OUTCOMES, now, 32);
        for (const [own, outcome] of now) assert.equal(outcomeIn(recent, own), outcome);
        assert.equal(outcomeIn(recent, other), now.get(other));
      }),
    );
  });

  it('are the new outcomes after the given number of older ones', () => {
    fc.assert(
      fc.property(outcomes, outcomes, fc.integer({ min: 1, max: 40 }), (before, now, others) => {
        const recent = withOutcomes(withOutcomes(NO_OUTCOMES, before, 40), now, others);
        const kept = [...before].filter(([own]) => !now.has(own)).slice(-others);
        const list = [...kept, ...now].map((entry) => entry.join(':'));
        assert.equal(recent, list.join(' '));
      }),
    );
  });
});
