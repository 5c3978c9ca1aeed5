import type { SignedIn } from '../http/signed-in.ts';
import type { RouteDeps } from '../parts.ts';

/** The id of a source of the account, or without one the ids of all its sources; undefined for an unknown source. */
export async function logOf(
  { ownAnySource, sources }: RouteDeps,
  who: SignedIn,
  sourceId: string | undefined,
): Promise<string | readonly string[] | undefined> {
  if (sourceId !== undefined) return (await ownAnySource(who, sourceId))?.source_id;
  return (await sources.listSources({ account_id: who.accountId })).map(({ source_id }) => source_id);
}
