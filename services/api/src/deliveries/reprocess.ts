import { WHY_NOT, wantedOf } from '@sluice/accounts/deliveries/reprocess';
import type { EnqueueActions, Enqueued } from '@sluice/admission/enqueue/enqueue-actions';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { Mapper } from '@sluice/signature/mapping/mapper';
import { refuse } from '../http/result.ts';

/**
 * Reprocesses a delivery: enqueues its action as a new delivery that refers to it. `mapper`: the current mapping of the source.
 */
export async function reprocessOne(
  enqueue: EnqueueActions,
  row: Delivery,
  mapper: Mapper | undefined,
): Promise<Enqueued> {
  const wanted = wantedOf(row, mapper);
  if ('refused' in wanted) return refuse('not_reprocessable', WHY_NOT[wanted.refused]);
  const [result] = await enqueue(row.source_id, [wanted]);
  if (result === undefined) throw new Error('one action was enqueued, but no result was returned');
  return result;
}
