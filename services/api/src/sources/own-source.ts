import type { Source, Sources } from '@sluice/store/sources';
import type { SignedIn } from '../http/signed-in.ts';

/** A source of the account that is worked in; undefined where there is none of this id, or it is another account's. */
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
