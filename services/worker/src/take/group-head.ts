import { RERUN_GROUP_PREFIX } from '@sluice/contract/groups';
import { fieldsOf, isId, isJobId } from './untrusted-fields.ts';

/** What a job says of its group, whatever its members are. */
export interface GroupHead {
  readonly group_id: string;
  /** An operator's second try of a dead letter, its one member: the row in the log is there already, and gets the new outcome. */
  readonly rerun: boolean;
  /** What the letter is kept under that is run again, where the job says so. */
  readonly rerunLetterId: string | undefined;
}

/** Never throws: a job that names no group is one by its own id. */
export function readHead(payload: unknown, jobId: string): GroupHead {
  const { group_id: said, letter_id } = fieldsOf(payload);
  const group_id = isId(said) ? said : `job-${jobId}`;
  const rerun = group_id.startsWith(RERUN_GROUP_PREFIX);
  return { group_id, rerun, rerunLetterId: rerun && isJobId(letter_id) ? letter_id : undefined };
}

/** What the dead letter of a member that cannot be read is kept under. The same each time that its job is run. */
export function letterIdOf({ group_id, rerunLetterId }: GroupHead, raw: unknown, index: number): string {
  if (rerunLetterId !== undefined) return rerunLetterId;
  const { delivery_id } = fieldsOf(raw);
  return isJobId(delivery_id) ? delivery_id : `unnamed-${group_id}-${index}`;
}
