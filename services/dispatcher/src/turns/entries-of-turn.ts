/** Entries that all turns of a shard have taken, about. With their texts and requests they are most of a dispatcher's memory. */
const ENTRIES_AT_ONCE = 1_024;
/** A turn takes so many in any case, also beside more than 256 turns of slow receivers: fewer cost more settlements than they save memory. */
export const FEWEST_ENTRIES = 4;

/** How many entries a turn takes at once: `most`, or its share while many turns run. */
export function entriesOfTurn(most: number, running: number): number {
  const share = Math.floor(ENTRIES_AT_ONCE / Math.max(1, running));
  return Math.min(most, Math.max(FEWEST_ENTRIES, share));
}
