import { TAKEN_TEXT } from './limits.ts';
import type { Entry, TakenEntry } from './turn.ts';

/** Numbers have this many digits in an entry's text, so that their order as text is their order. */
const NUMBER_DIGITS = 12;

export function numberText(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, '0');
}

/** Scripts know tests by this kind (mailbox.lua.ts). Their texts are only in Redis. */
export const TEST_KIND = 'webhook.test';

/** The field `redelivery` of an entry: 0 for a first delivery, or why it is sent again. */
export const REDELIVERY_TEXT = { redelivery: '1', recovery: '2' } as const;

/**
 * An entry as stored: `number|change|message|kind|pushed at|redelivery|attempts|first attempt|record`. Scripts make and read it too
 * (mailbox.lua.ts). The number comes first, because sorted sets sort by it, and the record last.
 */
export function readEntry(text: string): Entry {
  const [number, changeId, messageId, kind, pushedAt, redelivery, attempts, firstAttemptAt, recordId] =
    text.split('|') as [string, string, string, string, string, string, string, string, string];
  return {
    number: Number(number),
    messageId,
    changeId,
    kind,
    recordId,
    attempts: Number(attempts),
    redelivery: redelivery === REDELIVERY_TEXT.redelivery,
    recovered: redelivery === REDELIVERY_TEXT.recovery,
    pushedAt: Number(pushedAt),
    firstAttemptAt: firstAttemptAt === '' ? null : Number(firstAttemptAt),
  };
}

/**
 * Reads what the scripts return for taken entries: each entry, then the text of each. `readAt`: when the script was asked. Texts
 * beyond `most` are dropped, except those of tests, because a turn keeps its entries for as long as it lasts.
 */
export function readTaken(
  entries: readonly string[],
  texts: readonly (string | null)[],
  readAt: number,
  most: number = TAKEN_TEXT.turn,
): TakenEntry[] {
  let left = most;
  return entries.map((text, index) => {
    const entry = readEntry(text);
    const isKept = left > 0 || entry.kind === TEST_KIND;
    const kept = isKept ? (texts[index] ?? null) : null;
    left -= kept?.length ?? 0;
    return { ...entry, text: kept, readAt };
  });
}

/** The part of a new entry between its number and its time. Throws if a part would break the format. */
export function startOfEntry(changeId: string, messageId: string, kind: string): string {
  return [changeId, messageId, kind].map(partOfEntry).join('|');
}

/** An id or kind of an entry. Throws if it would break the format. */
export function partOfEntry(text: string): string {
  if (text.includes('|')) throw new Error('an id or kind in a mailbox contains |');
  return text;
}
