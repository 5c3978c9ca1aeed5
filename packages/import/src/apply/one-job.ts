import type { ProblemCode } from '@sluice/contract/problem';

/** Limits of one job: the same as for a group of the ingress. */
export const MAX_ITEMS = 200;
export const MAX_CHARACTERS = 128 * 1024;

/** Whether the rejection concerns the source, so that every other row would be rejected too. */
export function isOfTheSource(code: ProblemCode): boolean {
  return code === 'source_inactive' || code === 'unavailable';
}
