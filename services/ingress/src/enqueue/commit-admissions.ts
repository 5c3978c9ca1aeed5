import type { Verdict } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { GroupJob } from '../admit/admit-group.ts';
import type { Candidate } from '../admit/candidate.ts';
import { type Decision, decide } from '../admit/decide.ts';
import { traceGroup } from '../trace/trace-group.ts';

export interface CommitAdmissionsDeps {
  /** Enqueues what it admits. */
  readonly admitGroup: (group: readonly Candidate[], job: GroupJob) => Promise<Verdict[]>;
  readonly replicaWait: ReplicaWait;
  readonly newGroupId: () => string;
  /** Told of each group of actions that was enqueued. */
  readonly onActions: (actions: number) => void;
}

/** Decides on a group of requests. What is admitted is enqueued with the admission, as one job. */
export async function commitAdmissions(
  deps: CommitAdmissionsDeps,
  candidates: readonly Candidate[],
): Promise<Decision[]> {
  const nowMs = Date.now();
  const held = deps.replicaWait();
  const endAdmit = traceGroup(candidates);
  const verdicts = await deps.admitGroup(candidates, { groupId: deps.newGroupId(), nowMs }).finally(endAdmit);
  let actions = 0;
  const decisions = candidates.map((candidate, i) => {
    const decision = decide(candidate, verdicts[i] as Verdict, nowMs);
    if (decision.kind === 'accept') actions += 1;
    return decision;
  });
  if (actions > 0) {
    await held();
    deps.onActions(actions);
  }
  return decisions;
}
