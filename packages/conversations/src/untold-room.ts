import type { UntoldChange } from '@sluice/contract/change';
import { bytesOfChanges } from '@sluice/store/untold/untold-list';

/**
 * A document of MongoDB has 16 MiB. What a conversation waits to tell gets half of it, and one write adds half of the rest. A
 * change of the largest conversation takes less than half a MiB. Bytes of JSON.
 */
const MOST_UNTOLD = 8 * 2 ** 20;
const MOST_OF_A_WRITE = 4 * 2 ** 20;
/** Fewer changes are never too much, so that the usual conversation is not measured. One action makes fewer. */
const UNMEASURED = 8;

/** Whether a conversation must tell some of its changes before it gets a further one. */
export function isFull(untold: readonly UntoldChange[]): boolean {
  return exceeds(untold, MOST_UNTOLD);
}

/** Whether the changes of several actions are too much for one write. Those of a single action never are. */
export function isTooMuchAtOnce(changes: readonly UntoldChange[]): boolean {
  return exceeds(changes, MOST_OF_A_WRITE);
}

function exceeds(changes: readonly UntoldChange[], most: number): boolean {
  return changes.length >= UNMEASURED && bytesOfChanges(changes) >= most;
}
