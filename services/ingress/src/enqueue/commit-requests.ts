import type { Verdict } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { type EnqueuedAction, GROUP_VERSION, type RefusedRequest } from '@sluice/contract/groups';
import type { Producer } from '@sluice/queue/producer';
import type { Candidate } from '../admit/candidate.ts';
import { type Decision, decide } from '../admit/decide.ts';
import { admittedAction, refusedRequest } from '../admit/rows.ts';
import { traceGroup } from '../trace/trace-group.ts';

/** What became of one request, once Redis holds what had to be kept of it. */
export interface CommittedRequest {
  readonly decision: Decision;
  /** The id of its row in the delivery log; null where it got none (counted, or to be verified again). */
  readonly deliveryId: string | null;
}

export interface CommitRequestsDeps {
  readonly admitGroup: (group: readonly Candidate[], nowMs: number) => Promise<Verdict[]>;
  readonly producer: Pick<Producer, 'enqueueActions' | 'enqueueRefusals'>;
  readonly replicaWait: ReplicaWait;
  readonly newGroupId: () => string;
  readonly onGroup: (group: { readonly actions: number; readonly refusals: number }) => void;
}

/** Admits a group of requests and enqueues what came of it: accepted actions as one job, refusals as another. */
export async function commitRequests(
  deps: CommitRequestsDeps,
  candidates: readonly Candidate[],
): Promise<CommittedRequest[]> {
  const nowMs = Date.now();
  const held = deps.replicaWait();
  const endAdmit = traceGroup(candidates, 'admit');
  const verdicts = await deps.admitGroup(candidates, nowMs).finally(endAdmit);
  const endEnqueue = traceGroup(candidates, 'enqueue');
  const actions: EnqueuedAction[] = [];
  const refusals: RefusedRequest[] = [];
  const committed = candidates.map((candidate, i): CommittedRequest => {
    const decision = decide(candidate, verdicts[i] as Verdict, nowMs);
    return { decision, deliveryId: collect(candidate, decision, actions, refusals) };
  });
  await enqueue(deps, { actions, refusals, held }).finally(endEnqueue);
  deps.onGroup({ actions: actions.length, refusals: refusals.length });
  return committed;
}

function collect(
  candidate: Candidate,
  decision: Decision,
  actions: EnqueuedAction[],
  refusals: RefusedRequest[],
): string | null {
  switch (decision.kind) {
    case 'accept': {
      const action = admittedAction(candidate, decision.sequence, decision.duplicate);
      actions.push(action);
      return action.delivery_id;
    }
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

async function enqueue(
  { producer, newGroupId }: CommitRequestsDeps,
  {
    actions,
    refusals,
    held,
  }: {
    readonly actions: readonly EnqueuedAction[];
    readonly refusals: readonly RefusedRequest[];
    readonly held: () => Promise<void>;
  },
): Promise<void> {
  const jobs: Promise<void>[] = [];
  if (actions.length > 0) {
    jobs.push(producer.enqueueActions({ v: GROUP_VERSION, group_id: newGroupId(), actions }));
  }
  if (refusals.length > 0) {
    jobs.push(producer.enqueueRefusals({ v: GROUP_VERSION, group_id: newGroupId(), refusals }));
  }
  await Promise.all(jobs);
  if (jobs.length > 0) await held();
}
