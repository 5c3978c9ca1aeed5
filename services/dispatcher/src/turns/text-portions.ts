import { TAKEN_TEXT } from '@sluice/outbound/queue/limits';

/** The length of the texts of a turn that are not read yet, in UTF-16 units. */
export interface UsualText {
  length(): number;
  /** Texts that were read. */
  saw(texts: Iterable<string>): void;
}

/** Without any knowledge few texts are read, as each of them may be the longest. */
const UNKNOWN = TAKEN_TEXT.turn / 4;

/** Guesses that further texts are as long as the longest of the last read ones. */
export function createUsualText(): UsualText {
  let usual = UNKNOWN;
  return {
    length: () => usual,
    saw(texts) {
      let longest = 0;
      for (const { length } of texts) longest = Math.max(longest, length);
      if (longest > 0) usual = longest;
    },
  };
}

/** The most text of all turns of a process, in UTF-16 units. Beyond it each turn has a LEAST_PART of it, or one longer text at a time. */
const TEXT_OF_ALL = 64 * 1024 * 1024;
/** Large texts at receivers that hang must not slow down the small ones of others. */
const LEAST_PART = 1 / 2048;

/** The texts that all turns of a process keep. Lengths are in UTF-16 units. */
export interface TextBudget {
  /** How much text a turn may keep now. */
  share(): number;
  /** A turn keeps a text of this length. Call the result once it does not. */
  hold(length: number): () => void;
  held(): number;
}

/** `running`: the turns of the process. */
export function createTextBudget(running: () => number, ofAll = TEXT_OF_ALL): TextBudget {
  let held = 0;
  return {
    share: () =>
      Math.max(
        Math.floor(ofAll * LEAST_PART),
        Math.min(TAKEN_TEXT.turn, Math.floor(ofAll / Math.max(1, running())), ofAll - held),
      ),
    hold(length) {
      held += length;
      return () => {
        held -= length;
      };
    },
    held: () => held,
  };
}

/** How many of the first entries have `most` together, or one that is longer. `usual`: the length of a text that is not read yet. */
export function portionOf(
  entries: readonly { readonly text: string | null }[],
  usual: number,
  most: number = TAKEN_TEXT.turn,
): number {
  let length = 0;
  for (const [index, { text }] of entries.entries()) {
    length += text?.length ?? usual;
    if (length > most && index > 0) return index;
  }
  return entries.length;
}
