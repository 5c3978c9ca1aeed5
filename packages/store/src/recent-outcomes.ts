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
  const own = `${sequence}:`;
  let at = recent.indexOf(own);
  // Not the end of a longer number.
  while (at > 0 && recent[at - 1] !== ' ') at = recent.indexOf(own, at + 1);
  if (at < 0) return undefined;
  const end = recent.indexOf(' ', at);
  const outcome = recent.slice(at + own.length, end < 0 ? undefined : end);
  return OUTCOMES.find((one) => one === outcome);
}

/** Adds what was done now, and keeps at most so many of the others. */
export function withOutcomes(
  recent: RecentOutcomes,
  now: ReadonlyMap<number, Outcome>,
  others: number,
): RecentOutcomes {
  const kept = (recent === NO_OUTCOMES ? [] : recent.split(' ')).filter((one) => !now.has(sequenceOf(one)));
  return [...kept.slice(-others), ...Array.from(now, textOf)].join(' ');
}

/** The same of a list of documents. */
export function outcomesOfList(list: readonly RecentOutcome[]): RecentOutcomes {
  return list.map(({ sequence, outcome }) => textOf([sequence, outcome])).join(' ');
}

function textOf([sequence, outcome]: readonly [number, Outcome]): string {
  return `${sequence}:${outcome}`;
}

function sequenceOf(entry: string): number {
  return Number(entry.slice(0, entry.indexOf(':')));
}
