import { OUTCOMES, type Outcome } from '@sluice/contract/delivery/delivery';

/**
 * Outcomes of the latest sequence numbers of an event, in the order of writing: `1763762436123456:created
 * 1763762436123457:updated`. One string, because a list of documents would dominate a worker's decoding and encoding.
 */
export type RecentOutcomes = string;

export const NO_OUTCOMES: RecentOutcomes = '';

/** The remembered outcome of a sequence number, if there is one. */
export function outcomeIn(recent: RecentOutcomes, sequence: number): Outcome | undefined {
  const entry = entryOf(recent, sequence);
  if (entry === undefined) return undefined;
  const outcome = recent.slice(recent.indexOf(':', entry.from) + 1, entry.to);
  return OUTCOMES.find((one) => one === outcome);
}

/**
 * Adds the outcomes of `now`, and keeps at most `others` older ones. Edits the string, because parsing it into a list
 * is slower.
 */
export function withOutcomes(
  recent: RecentOutcomes,
  now: ReadonlyMap<number, Outcome>,
  others: number,
): RecentOutcomes {
  let kept = recent;
  for (const sequence of now.keys()) kept = without(kept, sequence);
  kept = latest(kept, others);
  const added = Array.from(now, textOf).join(' ');
  return kept === '' || added === '' ? kept + added : `${kept} ${added}`;
}

/** Position of the entry of a sequence number, if there is one. */
function entryOf(recent: RecentOutcomes, sequence: number): { from: number; to: number } | undefined {
  const own = `${sequence}:`;
  let from = recent.indexOf(own);
  // Skip a match at the end of a longer number.
  while (from > 0 && recent[from - 1] !== ' ') from = recent.indexOf(own, from + 1);
  if (from < 0) return undefined;
  const end = recent.indexOf(' ', from);
  return { from, to: end < 0 ? recent.length : end };
}

function without(recent: RecentOutcomes, sequence: number): RecentOutcomes {
  const entry = entryOf(recent, sequence);
  if (entry === undefined) return recent;
  // Also removes the space after it, or the space before it if it is the last entry.
  return (recent.slice(0, entry.from) + recent.slice(entry.to + 1)).trimEnd();
}

/** The last `count` entries. */
function latest(recent: RecentOutcomes, count: number): RecentOutcomes {
  let from = recent.length + 1;
  for (let taken = 0; taken < count && from > 0; taken++) from = recent.lastIndexOf(' ', from - 2) + 1;
  return recent.slice(from);
}

function textOf([sequence, outcome]: readonly [number, Outcome]): string {
  return `${sequence}:${outcome}`;
}
