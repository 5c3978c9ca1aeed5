import { formatInstant } from '@sluice/contract/instant';
import type { DeadLetter, DeadLetterList } from '@sluice/dashboard-api/ops';
import { letterFields } from '@sluice/management/letter-fields';
import type { DeadLetters, StoredDeadLetter } from '@sluice/queue/dead-letters';

/** Of all accounts' letters so many are looked through. */
const LETTERS_READ = 1000;
/** Each may hold all of a request, and an open page asks every few seconds. */
const AT_ONCE = 100;

/**
 * The dead letters of an account, the oldest first. Letters whose account cannot be told are nobody's here: the CLI has
 * them. Mostly there are none of anybody's, which costs one count.
 */
export async function ownLetters(
  deadLetters: Pick<DeadLetters, 'list' | 'count'>,
  accountId: string,
): Promise<DeadLetterList> {
  const items: DeadLetter[] = [];
  const all = await deadLetters.count();
  for (let from = 0; from < Math.min(all, LETTERS_READ); from += AT_ONCE) {
    const some = await deadLetters.list(AT_ONCE, from);
    items.push(...some.filter((letter) => isOwn(letter, accountId)).map(describeLetter));
  }
  return { items, partial: all > LETTERS_READ };
}

export function isOwn(letter: StoredDeadLetter, accountId: string): boolean {
  return letterFields(letter).account_id === accountId;
}

function describeLetter(letter: StoredDeadLetter): DeadLetter {
  const { delivery_id, failed_at, reason } = letter;
  const { source_id, kind, title } = letterFields(letter);
  return { delivery_id, source_id, failed_at: formatInstant(failed_at), reason, action: kind, title };
}
