import type { ReplicaWait } from '@sluice/admission/replica-wait';
import { GROUP_VERSION, type RefusedRequest } from '@sluice/contract/groups';
import { newId } from '@sluice/credentials/ids';
import type { Producer } from '@sluice/queue/producer';

export interface CommitRefusalsDeps {
  readonly producer: Pick<Producer, 'enqueueRefusals'>;
  readonly replicaWait: ReplicaWait;
  /** Called with the number of rejections of each enqueued group. */
  readonly onRefusals: (refusals: number) => void;
}

/** Enqueues the log rows of rejected requests as one job. */
export async function commitRefusals(
  { producer, replicaWait, onRefusals }: CommitRefusalsDeps,
  refusals: readonly RefusedRequest[],
): Promise<void> {
  const held = replicaWait();
  await producer.enqueueRefusals({ v: GROUP_VERSION, group_id: newId('grp'), refusals });
  await held();
  onRefusals(refusals.length);
}
