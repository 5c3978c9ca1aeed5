import { TAKEN_TEXT } from '@sluice/mailboxes/limits';

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

/** How many of the first entries have TAKEN_TEXT together, or one that is longer. `usual`: the length of a text that is not read yet. */
export function portionOf(entries: readonly { readonly text: string | null }[], usual: number): number {
  let length = 0;
  for (const [index, { text }] of entries.entries()) {
    length += text?.length ?? usual;
    if (length > TAKEN_TEXT.turn && index > 0) return index;
  }
  return entries.length;
}
