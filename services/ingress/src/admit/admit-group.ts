import type { Admit, SourceTickets, Verdict } from '@sluice/admission/admit';
import type { SourceRecord } from '@sluice/admission/source-record';
import type { Plans } from '@sluice/contract/plans';
import type { Candidate } from './candidate.ts';

/** The rate of a source that sets none of its own. */
export interface DefaultRate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface AdmitGroupDeps {
  readonly admit: Admit;
  readonly defaultRate: DefaultRate;
  readonly plans: Plans;
  readonly backlogFull: () => boolean;
}

/** Asks Redis about a whole group in one round trip; one verdict for each candidate, in their order. */
export async function admitGroup(
  deps: AdmitGroupDeps,
  group: readonly Candidate[],
  nowMs: number,
): Promise<Verdict[]> {
  const bySource = partition(group);
  const sources = [...bySource.values()].map((members) => sourceTickets(deps, members));
  const month = new Date(nowMs).toISOString().slice(0, 7);
  const verdicts = await deps.admit({ sources, backlogFull: deps.backlogFull(), month });
  const inOrder = [...bySource.values()].flat();
  const verdictOf = new Map(inOrder.map((candidate, i) => [candidate, verdicts[i] as Verdict]));
  return group.map((candidate) => verdictOf.get(candidate) as Verdict);
}

/** The rate that holds for a source. */
export function rateOf(record: SourceRecord, fallback: DefaultRate): DefaultRate {
  return {
    perSecond: record.rate_per_second ?? fallback.perSecond,
    burst: record.rate_burst ?? fallback.burst,
  };
}

/**
 * By source and by the version it was cached in: while a source changes, one group may hold requests verified
 * before and after, and each must be compared with the version that it was verified with.
 */
function partition(group: readonly Candidate[]): Map<SourceRecord, Candidate[]> {
  const bySource = new Map<SourceRecord, Candidate[]>();
  for (const candidate of group) {
    const members = bySource.get(candidate.source.record);
    if (members === undefined) bySource.set(candidate.source.record, [candidate]);
    else members.push(candidate);
  }
  return bySource;
}

function sourceTickets(deps: AdmitGroupDeps, members: readonly Candidate[]): SourceTickets {
  const { record } = (members[0] as Candidate).source;
  return {
    record,
    rate: rateOf(record, deps.defaultRate),
    // A plan that the configuration no longer names does not stop an account's events.
    planLimit: deps.plans.get(record.plan) ?? null,
    tickets: members.map(({ verified }) => verified.ticket),
  };
}
