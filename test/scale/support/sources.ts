import { UnconfirmedChangeError } from '@sluice/accounts/audit/unconfirmed-change';
import { shardOf } from '@sluice/redis/shards/shards';
import type { TestSource } from '../../support/ingress.ts';
import type { Pipeline } from '../../support/pipeline.ts';

/** One source in each shard, in the order of the shards. Creates accounts until every shard has one. */
export async function sourcesOfAllShards(
  pipeline: Pick<Pipeline, 'addSource'>,
  shards: number,
  options: Parameters<Pipeline['addSource']>[0] = {},
): Promise<TestSource[]> {
  const sources = new Map<number, TestSource>();
  while (sources.size < shards) {
    const source = await pipeline.addSource(options).catch(unlessUnconfirmed);
    if (source !== undefined) sources.set(shardOf(source.accountId, shards), source);
  }
  return [...sources].sort(([a], [b]) => a - b).map(([, source]) => source);
}

/** Shortly after a failover the Cluster may leave a creation unconfirmed. Then another one is made. */
function unlessUnconfirmed(error: unknown): undefined {
  if (!(error instanceof UnconfirmedChangeError)) throw error;
}
