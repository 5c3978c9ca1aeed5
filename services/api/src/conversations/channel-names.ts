import type { Sources } from '@sluice/store/sources/sources';

/** The name of each channel of an account, by its id. */
export async function channelNames(
  sources: Pick<Sources, 'listSources'>,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const channels = await sources.listSources({ account_id: accountId, kind: 'channel' });
  return new Map(channels.map(({ source_id, name }) => [source_id, name]));
}
