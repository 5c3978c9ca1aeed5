import fc from 'fast-check';

/** A step of a history of an account's log. */
export type Step =
  | { readonly do: 'change'; readonly record: 'lead_a' | 'lead_b' }
  /** A process begins to publish what is pending. */
  | { readonly do: 'publish' }
  /** One of the processes under way gets its next answer from a store, or dies before it. */
  | { readonly do: 'go_on' | 'die'; readonly which: number }
  /** Ten seconds pass: batches that are open are given up. */
  | { readonly do: 'give_up' }
  /** Redis was emptied, or a replica took over. */
  | { readonly do: 'new_run' }
  /** A dispatcher takes a turn. `dies`: after it has sent, and `logged` of its messages are logged. */
  | {
      readonly do: 'turn';
      readonly by: 0 | 1;
      readonly most: number;
      readonly dies: boolean;
      readonly logged: number;
    };

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('change'), record: fc.constantFrom('lead_a', 'lead_b') }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('publish') }) },
  { weight: 20, arbitrary: fc.record({ do: fc.constant('go_on'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die'), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('give_up') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('new_run') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('turn'),
      by: fc.constantFrom(0, 1),
      most: fc.integer({ min: 1, max: 5 }),
      dies: fc.constantFrom(false, false, false, false, true),
      logged: fc.nat({ max: 5 }),
    }),
  },
) as fc.Arbitrary<Step>;
