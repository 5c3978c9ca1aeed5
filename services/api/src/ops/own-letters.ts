import { letterFields } from '@sluice/management/letter-fields';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';

/** Of all accounts' letters so many are looked through. */
const LETTERS_READ = 1000;

/** The dead letters of an account, the oldest first. Letters whose account cannot be told are nobody's here: the CLI has them. */
export async function ownLetters(
  deadLetters: Pick<DeadLetters, 'list'>,
  accountId: string,
): Promise<readonly StoredDeadLetter[]> {
  return (await deadLetters.list(LETTERS_READ)).filter((letter) => isOwn(letter, accountId));
}

export function isOwn(letter: StoredDeadLetter, accountId: string): boolean {
  return letterFields(letter).account_id === accountId;
}
