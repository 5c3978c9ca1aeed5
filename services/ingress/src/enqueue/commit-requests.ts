import type { Verdict } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { GROUP_VERSION, type RefusedRequest } from '@sluice/contract/groups';
import type { Producer } from '@sluice/queue/producer';
import type { GroupJob } from '../admit/admit-group.ts';
import type { Candidate } from '../admit/candidate.ts';
import { type Decision, decide } from '../admit/decide.ts';
import { acceptedId, refusedRequest } from '../admit/rows.ts';
import { traceGroup } from '../trace/trace-group.ts';

/** What became of one request, once Redis holds what had to be kept of it. */
export interface CommittedRequest {
  readonly decision: Decision;
  /** The id of its row in the delivery log; null where it got none (counted, or to be verified again). */
  readonly deliveryId: string | null;
}

export interface CommitRequestsDeps {
  /** Enqueues what it admits. */
  readonly admitGroup: (group: readonly Candidate[], job: GroupJob) => Promise<Verdict[]>;
  readonly producer: Pick<Producer, 'enqueueRefusals'>;
  readonly replicaWait: ReplicaWait;
  readonly newGroupId: () => string;
  readonly onGroup: (group: { readonly actions: number; readonly refusals: number }) => void;
}

/**
 * Commits a group of requests: what is admitted is enqueued with the admission, as one job; refusals that get a row in
 * the log follow as another.
 */
export async function commitRequests(
  deps: CommitRequestsDeps,
  candidates: readonly Candidate[],
): Promise<CommittedRequest[]> {
  const nowMs = Date.now();
  const held = deps.replicaWait();
  const endAdmit = traceGroup(candidates);
  const verdicts = await deps.admitGroup(candidates, { groupId: deps.newGroupId(), nowMs }).finally(endAdmit);
  const refusals: RefusedRequest[] = [];
  let actions = 0;
  const committed = candidates.map((candidate, i): CommittedRequest => {
    const decision = decide(candidate, verdicts[i] as Verdict, nowMs);
    if (decision.kind === 'accept') actions += 1;
    return { decision, deliveryId: rowOf(candidate, decision, refusals) };
  });
  if (refusals.length > 0) await enqueueRefusals(deps, refusals);
  if (actions > 0 || refusals.length > 0) await held();
  deps.onGroup({ actions, refusals: refusals.length });
  return committed;
}

/** The id of the row that the delivery log gets; a refusal's is added to those that are to be enqueued. */
function rowOf(candidate: Candidate, decision: Decision, refusals: RefusedRequest[]): string | null {
  switch (decision.kind) {
    case 'accept':
      return acceptedId(candidate, decision.sequence, decision.duplicate);
    case 'refuse': {
      if (!decision.logged) return null;
      const refusal = refusedRequest(candidate, decision.refusal);
      refusals.push(refusal);
      return refusal.delivery_id;
    }
    case 'verify_again':
      return null;
  }
}

function enqueueRefusals(
  { producer, newGroupId }: CommitRequestsDeps,
  refusals: readonly RefusedRequest[],
): Promise<void> {
  return producer.enqueueRefusals({ v: GROUP_VERSION, group_id: newGroupId(), refusals });
}
