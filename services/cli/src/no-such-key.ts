import { type CommandFailure, failed } from './exit-codes.ts';

/** The error for an unknown API key. */
export function noSuchKey(keyId: string): CommandFailure {
  return failed(`There is no key ${keyId}. See: sluice key list`);
}
