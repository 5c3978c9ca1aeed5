import { type CommandFailure, failed } from '../exit-codes.ts';

/** What every command says of a source that is not there. */
export function noSuchSource(sourceId: string): CommandFailure {
  return failed(`There is no source ${sourceId}. See: sluice source list`);
}
