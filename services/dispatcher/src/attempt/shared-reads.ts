import { batchLists } from '@sluice/runtime/timing/batcher';

/** Reads the texts of changes. What is absent in the result is not stored. */
export type FindTexts = (changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** Changes of one read. A request for more is a separate read. */
const MOST_CHANGES = 200;

/**
 * Requests that arrive during a read share the next one. Behind slow receivers each message reads its text again, so a busy dispatcher
 * would otherwise need a round trip for each. A read always begins after it was asked for, so no erased text is returned.
 */
export function createSharedReads(findTexts: FindTexts): FindTexts {
  const read = batchLists<string, ReadonlyMap<string, string>>(
    (changeIds) => findTexts([...new Set(changeIds)]),
    { maxItems: MOST_CHANGES },
  );
  return async (changeIds) => pick(await read(changeIds), changeIds);
}

/** The others are not kept in memory for as long as a turn lasts. */
function pick(texts: ReadonlyMap<string, string>, changeIds: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    changeIds.flatMap((id) => {
      const text = texts.get(id);
      return text === undefined ? [] : [[id, text] as const];
    }),
  );
}
