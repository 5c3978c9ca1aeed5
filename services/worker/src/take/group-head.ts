import { RERUN_GROUP_PREFIX } from '@sluice/contract/delivery/groups';
import { fieldsOf, isId, isJobId } from './untrusted-fields.ts';

/** The fields of a job that describe its group, independent of its members. */
export interface GroupHead {
  readonly group_id: string;
  /** The group is an operator's retry of one dead letter. The log row exists and gets the new outcome. */
  readonly rerun: boolean;
  /** Id of the retried dead letter, if the job names it. */
  readonly rerunLetterId: string | undefined;
}

/** Never throws. A job without a group id gets one derived from its job id. */
export function readHead(payload: unknown, jobId: string): GroupHead {
  const { group_id: given, letter_id } = fieldsOf(payload);
  const group_id = isId(given) ? given : `job-${jobId}`;
  const rerun = group_id.startsWith(RERUN_GROUP_PREFIX);
  return { group_id, rerun, rerunLetterId: rerun && isJobId(letter_id) ? letter_id : undefined };
}

/** Dead letter id of an unreadable member. The same for each run of its job. */
export function letterIdOf({ group_id, rerunLetterId }: GroupHead, raw: unknown, index: number): string {
  if (rerunLetterId !== undefined) return rerunLetterId;
  const { delivery_id } = fieldsOf(raw);
  return isJobId(delivery_id) ? delivery_id : `unnamed-${group_id}-${index}`;
}
