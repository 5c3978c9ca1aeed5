import type { Action } from '@sluice/contract/event/action';
import fc from 'fast-check';

export interface Numbered {
  readonly sequence: number;
  readonly action: Action;
}

export const IDENTITY = {
  title: 'Yoga in the park',
  starts_at: Date.UTC(2026, 11, 1, 18),
  location: 'Ghent',
};

/** An upsert whose price identifies it. */
export function upsert(price: string, status: 'upcoming' | 'cancelled' = 'upcoming'): Action {
  return { kind: 'upsert', identity: IDENTITY, content: { price }, status };
}
export const cancel: Action = { kind: 'cancel', identity: IDENTITY };
export const remove: Action = { kind: 'delete', identity: IDENTITY };

const arbitraryAction: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({
      price: fc.string({ maxLength: 4 }),
      status: fc.constantFrom('upcoming' as const, 'cancelled' as const),
    })
    .map(({ price, status }) => upsert(price, status)),
  fc.constant(cancel),
  fc.constant(remove),
);

/** Actions on one event in the order of admission. */
export const arbitraryHistory: fc.Arbitrary<Numbered[]> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 }), arbitraryAction), { minLength: 1, maxLength: 14 })
  .map((steps) => {
    let sequence = 0;
    return steps.map(([gap, action]) => {
      sequence += gap;
      return { sequence, action };
    });
  });

/** A history, and the same actions in another order with repetitions. */
export const arbitraryDisorder = arbitraryHistory.chain((history) =>
  fc.record({
    history: fc.constant(history),
    shuffled: fc
      .tuple(
        fc.shuffledSubarray(history, { minLength: history.length }),
        fc.array(fc.constantFrom(...history), { maxLength: 14 }),
      )
      .chain(([all, again]) => {
        const every = [...all, ...again];
        return fc.shuffledSubarray(every, { minLength: every.length });
      }),
  }),
);
