import type { DeadLetter } from '@sluice/contract/groups';

/** Where actions go that can never be applied as they are. Adding one a second time changes nothing. */
export interface DeadLetterBox {
  add(letterId: string, letter: DeadLetter): Promise<void>;
  remove(letterId: string): Promise<unknown>;
}
