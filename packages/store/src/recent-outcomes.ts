import { OUTCOMES, type Outcome } from '@sluice/contract/delivery';

/**
 * What the latest sequence numbers of an event came to, in the order of writing: `1763762436123456:created
 * 1763762436123457:updated`. One text, as a list of documents would be most of what a worker decodes and encodes.
 */
export type RecentOutcomes = string;

/** One of them, as documents up to schema version 1 list them. */
export interface RecentOutcome {
  readonly sequence: number;
  readonly outcome: Outcome;
}

export const NO_OUTCOMES: RecentOutcomes = '';

/** What this sequence number came to, where that is remembered. */
export function outcomeIn(recent: RecentOutcomes, sequence: number): Outcome | undefined {
  const entry = entryOf(recent, sequence);
  if (entry === undefined) return undefined;
  const outcome = recent.slice(recent.indexOf(':', entry.from) + 1, entry.to);
  return OUTCOMES.find((one) => one === outcome);
}

/** Adds what was done now, and keeps at most so many of the others. Cut out of the text: a list made of it costs a multiple. */
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

/** Where the entry of a sequence number stands, if there is one. */
function entryOf(recent: RecentOutcomes, sequence: number): { from: number; to: number } | undefined {
  const own = `${sequence}:`;
  let from = recent.indexOf(own);
  // Not the end of a longer number.
  while (from > 0 && recent[from - 1] !== ' ') from = recent.indexOf(own, from + 1);
  if (from < 0) return undefined;
  const end = recent.indexOf(' ', from);
  return { from, to: end < 0 ? recent.length : end };
}

function without(recent: RecentOutcomes, sequence: number): RecentOutcomes {
  const entry = entryOf(recent, sequence);
  if (entry === undefined) return recent;
  // With the space that parts it from the next entry, or from the one before it where it is the last.
  return (recent.slice(0, entry.from) + recent.slice(entry.to + 1)).trimEnd();
}

/** At most so many entries, from the end. */
function latest(recent: RecentOutcomes, count: number): RecentOutcomes {
  let from = recent.length + 1;
  for (let taken = 0; taken < count && from > 0; taken++) from = recent.lastIndexOf(' ', from - 2) + 1;
  return recent.slice(from);
}

/** The same of a list of documents. */
export function outcomesOfList(list: readonly RecentOutcome[]): RecentOutcomes {
  return list.map(({ sequence, outcome }) => textOf([sequence, outcome])).join(' ');
}

function textOf([sequence, outcome]: readonly [number, Outcome]): string {
  return `${sequence}:${outcome}`;
}
