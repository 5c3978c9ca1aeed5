import { TAKEN_TEXT } from '@sluice/outbound/queue/limits';

/** Messages that all turns of a shard have taken, about. With their requests they are most of what a dispatcher keeps beside texts. */
const ENTRIES_AT_ONCE = 1_024;
/** A turn takes so many in any case, also beside more than 256 turns of slow receivers: fewer cost more settlements than they save memory. */
export const FEWEST_ENTRIES = 4;

/** How many entries a turn takes at once: `most`, or its share while many turns run. */
export function entriesOfTurn(most: number, running: number): number {
  const share = Math.floor(ENTRIES_AT_ONCE / Math.max(1, running));
  return Math.min(most, Math.max(FEWEST_ENTRIES, share));
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
        Math.min(TAKEN_TEXT, Math.floor(ofAll / Math.max(1, running())), ofAll - held),
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

/** The texts that one turn reads while it sends: how long they are is known only then, so the last ones tell how many it reads at once. */
export interface ReadTexts {
  /** The longest text of the latest batch, in UTF-16 units. */
  longest: number;
}

/** Without any knowledge few texts are read, as each of them may be the longest. */
export function createReadTexts(): ReadTexts {
  return { longest: TAKEN_TEXT / 4 };
}

/** How many texts of a turn fit into its share. One does in any case. */
export function textsAtOnce({ longest }: ReadTexts, share: number): number {
  return Math.max(1, Math.floor(share / Math.max(1, longest)));
}
