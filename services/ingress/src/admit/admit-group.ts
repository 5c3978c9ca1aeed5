import type { Admit, Admitted } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { AdmitOnly } from '@sluice/admission/shard-moved';
import type { SourceRecord } from '@sluice/admission/source-record';
import type { SourceTickets } from '@sluice/admission/ticket';
import type { Verdict } from '@sluice/admission/verdict';
import type { Plans } from '@sluice/contract/account/plans';
import { newId } from '@sluice/credentials/ids';
import type { Span } from '@sluice/runtime/telemetry/tracing/tracing';
import type { Confirmed } from '../gate/lost-writes.ts';
import { type Decision, decide } from './decide.ts';
import { askedAction, type Candidate } from './rows.ts';

/** The rate of sources without a separate rate. */
export interface DefaultRate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface AdmitGroupDeps {
  /** Decides in Redis, and enqueues what it admits. */
  readonly admit: Admit;
  readonly defaultRate: DefaultRate;
  readonly plans: Plans;
  readonly backlogFull: () => boolean;
  /** The groups that wait. From `packFrom` on, further ones are packed. With 0 none is packed. */
  readonly backlog: () => number;
  readonly packFrom: number;
  readonly replicaWait: ReplicaWait;
  /** Called with the number of actions of each enqueued group. */
  readonly onActions: (actions: number) => void;
  /** Updated with each job that Redis has confirmed. */
  readonly confirmed: Confirmed;
}

/** Decides on a group of requests: one decision for each, in their order. Rejects with ShardMoved as Admit. */
export type AdmitGroup = (group: readonly Candidate[], only?: AdmitOnly) => Promise<Decision[]>;

/** Redis decides on the whole group and enqueues the admitted actions as one job, in one round trip. */
export function createAdmitGroup(deps: AdmitGroupDeps): AdmitGroup {
  return async (group, only) => {
    const nowMs = Date.now();
    const held = deps.replicaWait();
    const endAdmit = traceGroup(group);
    const { verdicts, job } = await askRedis(deps, group, nowMs, only).finally(endAdmit);
    let actions = 0;
    const decisions = group.map((candidate, i) => {
      const decision = decide(candidate, verdicts[i] as Verdict, nowMs);
      if (decision.kind === 'accept') actions += 1;
      return decision;
    });
    if (actions > 0) {
      await held();
      deps.onActions(actions);
      if (job !== undefined && job > deps.confirmed.job)
        Object.assign(deps.confirmed, { job, atMs: Date.now() });
    }
    return decisions;
  };
}

/** Adds a step to the trace of each candidate. Returns a function that ends the step; it does nothing if none is traced. */
function traceGroup(group: readonly Candidate[]): () => void {
  let steps: Span[] | undefined;
  for (const { trace } of group) {
    if (trace === undefined) continue;
    const step = trace.step('admit');
    step.set({ 'sluice.group_size': group.length });
    steps ??= [];
    steps.push(step);
  }
  return () => {
    for (const step of steps ?? []) step.end();
  };
}

/** Returns one verdict for each candidate, in their order, and the job's id. */
async function askRedis(
  deps: AdmitGroupDeps,
  group: readonly Candidate[],
  nowMs: number,
  only: AdmitOnly | undefined,
): Promise<Admitted> {
  const bySource = partition(group);
  const sources = Array.from(bySource, ([record, members]) => sourceTickets(deps, record, members, group));
  const pack = deps.packFrom > 0 && deps.backlog() >= deps.packFrom;
  const input = { sources, backlogFull: deps.backlogFull(), groupId: newId('grp'), pack, nowMs };
  const { verdicts: inTurn, job } = await deps.admit(input, only);
  const verdicts = new Array<Verdict>(group.length);
  let next = 0;
  for (const members of bySource.values()) {
    for (const member of members) verdicts[member] = inTurn[next++] as Verdict;
  }
  return { verdicts, job };
}

/** The rate of a source: its own, or the default. */
export function rateOf(record: SourceRecord, fallback: DefaultRate): DefaultRate {
  return {
    perSecond: record.rate_per_second ?? fallback.perSecond,
    burst: record.rate_burst ?? fallback.burst,
  };
}

/**
 * Indexes of each source's requests in the group, by the cached version of the source. While a source changes, one group
 * can have requests that were verified before and after. Redis must compare each with the version that verified it.
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
    // If the configuration no longer names a plan, its accounts' events are still accepted.
    planLimit: deps.plans.get(record.plan) ?? null,
    tickets: members.map((member) => (group[member] as Candidate).verified.ticket),
    asked: (index) => askedAction(group[members[index] as number] as Candidate),
  };
}
