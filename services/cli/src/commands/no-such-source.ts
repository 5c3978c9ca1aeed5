import { type CommandFailure, failed } from '../exit-codes.ts';

/** The error for an unknown source. */
export function noSuchSource(sourceId: string): CommandFailure {
  return failed(`There is no source ${sourceId}. See: sluice source list`);
}
