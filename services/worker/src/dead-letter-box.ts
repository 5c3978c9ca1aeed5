import type { DeadLetter } from '@sluice/contract/delivery/groups';

/** Keeps actions that can't be applied in their present form. `add` is idempotent. */
export interface DeadLetterBox {
  add(letterId: string, letter: DeadLetter): Promise<void>;
  remove(letterId: string): Promise<unknown>;
}
