import type { Admit, AdmitInput, SourceTickets, Verdict } from '@sluice/admission/admit';
import type { SourceRecord } from '@sluice/admission/source-record';
import type { Plans } from '@sluice/contract/plans';
import type { Candidate } from './candidate.ts';
import { askedAction } from './rows.ts';

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

/** The job that a group may become. */
export type GroupJob = Pick<AdmitInput, 'groupId' | 'nowMs'>;

/**
 * Asks Redis about a whole group, and has what it admits enqueued, in one round trip; one verdict for each candidate, in
 * their order.
 */
export async function admitGroup(
  deps: AdmitGroupDeps,
  group: readonly Candidate[],
  job: GroupJob,
): Promise<Verdict[]> {
  const bySource = partition(group);
  const sources = Array.from(bySource, ([record, members]) => sourceTickets(deps, record, members, group));
  const inTurn = await deps.admit({ sources, backlogFull: deps.backlogFull(), ...job });
  const verdicts = new Array<Verdict>(group.length);
  let next = 0;
  for (const members of bySource.values()) {
    for (const member of members) verdicts[member] = inTurn[next++] as Verdict;
  }
  return verdicts;
}

/** The rate that holds for a source. */
export function rateOf(record: SourceRecord, fallback: DefaultRate): DefaultRate {
  return {
    perSecond: record.rate_per_second ?? fallback.perSecond,
    burst: record.rate_burst ?? fallback.burst,
  };
}

/**
 * Where in the group the requests of each source are. By source and by the version it was cached in: while a source
 * changes, one group may hold requests verified before and after, and each must be compared with the version that it
 * was verified with.
 */
function partition(group: readonly Candidate[]): Map<SourceRecord, number[]> {
  const bySource = new Map<SourceRecord, number[]>();
  group.forEach(({ source: { record } }, i) => {
    const members = bySource.get(record);
    if (members === undefined) bySource.set(record, [i]);
    else members.push(i);
  });
  return bySource;
}

function sourceTickets(
  deps: AdmitGroupDeps,
  record: SourceRecord,
  members: readonly number[],
  group: readonly Candidate[],
): SourceTickets {
  return {
    record,
    rate: rateOf(record, deps.defaultRate),
    // A plan that the configuration no longer names does not stop an account's events.
    planLimit: deps.plans.get(record.plan) ?? null,
    tickets: members.map((member) => (group[member] as Candidate).verified.ticket),
    asked: (index) => askedAction(group[members[index] as number] as Candidate),
  };
}
