/** Reads the texts of changes. What is absent in the result is not stored. */
export type FindTexts = (changeIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

interface Waiting {
  readonly changeIds: readonly string[];
  readonly resolve: (texts: ReadonlyMap<string, string>) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes of one read. A request for more is a separate read. */
const MOST_CHANGES = 200;

/**
 * Requests that arrive during a read share the next one. Behind slow receivers each message reads its text again, so a busy dispatcher
 * would otherwise need a round trip for each. A read always begins after it was asked for, so no erased text is returned.
 */
export function createSharedReads(findTexts: FindTexts): FindTexts {
  let waiting: Waiting[] = [];
  let reading = false;

  function takeSome(): Waiting[] {
    let changes = 0;
    const end = waiting.findIndex(({ changeIds }, index) => {
      changes += changeIds.length;
      return index > 0 && changes > MOST_CHANGES;
    });
    const taken = end < 0 ? waiting : waiting.slice(0, end);
    waiting = waiting.slice(taken.length);
    return taken;
  }

  async function readAll(): Promise<void> {
    reading = true;
    while (waiting.length > 0) {
      const taken = takeSome();
      try {
        const texts = await findTexts([...new Set(taken.flatMap(({ changeIds }) => changeIds))]);
        for (const { changeIds, resolve } of taken) resolve(pick(texts, changeIds));
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    reading = false;
  }

  return (changeIds) =>
    new Promise((resolve, reject) => {
      waiting.push({ changeIds, resolve, reject });
      // Requests of the same task share the first read.
      if (!reading) queueMicrotask(() => reading || void readAll());
    });
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
