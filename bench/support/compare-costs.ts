import { median, spread } from './stats.ts';

/** The costs of one run, by part. The parts of an event are named `event: PART`. */
export type Costs = Readonly<Record<string, number>>;

/** The runs of two commits. Those with the same index alternated. */
export interface Runs {
  readonly before: readonly Costs[];
  readonly after: readonly Costs[];
}

export interface ComparedCost {
  readonly name: string;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  /** The median of after / before within a round, and the spread of these ratios. */
  readonly ratio: number;
  readonly spread: number;
}

/** A change fails if it costs more than this, of the cost before it. */
const MOST = 1.03;
const EVENT = 'event: all';
/** Single parts behind the ingress vary more than their sum. */
const JUDGED: ReadonlySet<string> = new Set([EVENT, 'event: ingress', 'lead: api']);

/** The costs of each part, and of all parts of an event together, after a change and before it. */
export function compareCosts({ before, after }: Runs): ComparedCost[] {
  return [...Object.keys(before[0] ?? {}), EVENT].map((name) => {
    const then = before.map((costs) => costOf(costs, name));
    const now = after.map((costs) => costOf(costs, name));
    const ratios = now.map((cost, i) => cost / (then[i] as number));
    return {
      name,
      before: median(then),
      after: median(now),
      ratio: median(ratios),
      spread: spread(ratios),
    };
  });
}

/** Why the change is too expensive, or undefined. */
export function failureOf(compared: readonly ComparedCost[]): string | undefined {
  const worse = compared.filter(({ name, ratio }) => JUDGED.has(name) && ratio > MOST);
  if (worse.length === 0) return undefined;
  const named = worse.map(({ name, ratio }) => `${name} ${ratio.toFixed(3)}`).join(', ');
  return `more than ${MOST} of the cost before: ${named}. If the spread is large, repeat it on a quiet machine.`;
}

function costOf(costs: Costs, name: string): number {
  if (name !== EVENT) return costs[name] as number;
  const parts = Object.entries(costs).filter(([part]) => part.startsWith('event: '));
  return parts.reduce((sum, [, cost]) => sum + cost, 0);
}
