import type { Refusal } from '../answer/refusal.ts';

/** What came in, as far as it can be told without knowing the source. */
export type Received =
  | { readonly outcome: 'body'; readonly bytes: Buffer }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  /** It was too slow to come while others needed the room. */
  | { readonly outcome: 'crowded_out' }
  /** The sender went away before it had sent everything: nobody is there to be answered. */
  | { readonly outcome: 'aborted' };
