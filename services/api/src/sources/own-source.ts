import type { Source } from '@sluice/store/source';
import type { Sources } from '@sluice/store/sources';
import type { SignedIn } from '../http/signed-in.ts';

/** Finds a source of the current account; undefined if it does not exist or belongs to another account. */
export type OwnSource = (
  who: Pick<SignedIn, 'accountId'>,
  sourceId: string | undefined,
) => Promise<Source | undefined>;

export function createOwnSource({ sources }: { sources: Pick<Sources, 'findSource'> }): OwnSource {
  return async ({ accountId }, sourceId = '') => {
    const source = await sources.findSource(sourceId);
    return source?.account_id === accountId ? source : undefined;
  };
}
