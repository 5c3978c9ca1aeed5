import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { GROUP_VERSION, type RefusedRequest } from '@sluice/contract/groups';
import type { Producer } from '@sluice/queue/producer';

export interface CommitRefusalsDeps {
  readonly producer: Pick<Producer, 'enqueueRefusals'>;
  readonly replicaWait: ReplicaWait;
  readonly newGroupId: () => string;
  /** Told of each group of refusals that was enqueued. */
  readonly onRefusals: (refusals: number) => void;
}

/** Enqueues the rows that refused requests get in the delivery log, as one job. */
export async function commitRefusals(
  { producer, replicaWait, newGroupId, onRefusals }: CommitRefusalsDeps,
  refusals: readonly RefusedRequest[],
): Promise<readonly RefusedRequest[]> {
  const held = replicaWait();
  await producer.enqueueRefusals({ v: GROUP_VERSION, group_id: newGroupId(), refusals });
  await held();
  onRefusals(refusals.length);
  return refusals;
}
