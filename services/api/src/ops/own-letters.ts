import { letterFields } from '@sluice/accounts/dead-letters/dead-letters';
import { formatInstant } from '@sluice/contract/time/instant';
import type { DeadLetter, DeadLetterList } from '@sluice/dashboard-api/ops';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';

/** Maximum number of letters that are scanned, over all accounts. */
const LETTERS_SCANNED = 1000;
/** Each letter may contain a whole request, and an open page polls every few seconds. */
const PAGE = 100;

/**
 * The dead letters of an account, oldest first. Letters without a readable account appear only in the CLI. Usually
 * there are no letters at all, so this costs one count.
 */
export async function ownLetters(
  deadLetters: Pick<DeadLetters, 'list' | 'count'>,
  accountId: string,
): Promise<DeadLetterList> {
  const items: DeadLetter[] = [];
  const all = await deadLetters.count();
  for (let from = 0; from < Math.min(all, LETTERS_SCANNED); from += PAGE) {
    const some = await deadLetters.list(PAGE, from);
    items.push(...some.filter((letter) => isOwn(letter, accountId)).map(describeLetter));
  }
  return { items, partial: all > LETTERS_SCANNED };
}

export function isOwn(letter: StoredDeadLetter, accountId: string): boolean {
  return letterFields(letter).account_id === accountId;
}

function describeLetter(letter: StoredDeadLetter): DeadLetter {
  const { delivery_id, failed_at, reason } = letter;
  const { source_id, kind, title } = letterFields(letter);
  return { delivery_id, source_id, failed_at: formatInstant(failed_at), reason, action: kind, title };
}
