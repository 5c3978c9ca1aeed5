import { batchLists } from '@sluice/runtime/timing/batcher';

/** Reads the text of a change; undefined if it is not stored: it was erased, or has expired. Rejects if MongoDB does not respond. */
export type ReadText = (changeId: string) => Promise<string | undefined>;

/** Changes of one read. */
const MOST_CHANGES = 200;

/**
 * Requests that arrive during a read share the next one. Behind slow receivers each message reads its text again, so a busy dispatcher
 * would otherwise need a round trip for each. A read always begins after it was asked for, so no erased text is returned.
 */
export function createReadText(
  findTexts: (changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): ReadText {
  const read = batchLists<string, ReadonlyMap<string, string>>(
    (changeIds) => findTexts([...new Set(changeIds)]),
    { maxItems: MOST_CHANGES },
  );
  return async (changeId) => (await read([changeId])).get(changeId);
}
