import type { Sources } from '@sluice/store/sources/sources';
import type { SignedIn } from '../http/signed-in.ts';
import type { OwnSource } from '../sources/own-source.ts';

export interface LogOfDeps {
  readonly ownAnySource: OwnSource;
  readonly sources: Pick<Sources, 'listSources'>;
}

/** The id of a source of the account, or without one the ids of all its sources; undefined for an unknown source. */
export async function logOf(
  { ownAnySource, sources }: LogOfDeps,
  who: SignedIn,
  sourceId: string | undefined,
): Promise<string | readonly string[] | undefined> {
  if (sourceId !== undefined) return (await ownAnySource(who, sourceId))?.source_id;
  return (await sources.listSources({ account_id: who.accountId })).map(({ source_id }) => source_id);
}
