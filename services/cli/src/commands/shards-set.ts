import { type ShardsSet, setShards } from '@sluice/accounts/shards/set-shards';
import { isRedisUnavailable } from '@sluice/redis/connection/redis-away';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { tryAgainLater } from '../exit-codes.ts';
import { shardNumber } from '../option-types.ts';

const HELP = `
Stop every ingress and API server first. Start them with QUEUE_SHARDS=<count> afterwards. See docs/scaling.md.
If it is interrupted, run it again.`;

/** sluice shards set */
export function addShardsSet(parent: Command, context: Context): void {
  const command = parent
    .command('set')
    .description('change the number of shards that the accounts are distributed over in Redis')
    .argument('<count>', 'the new number of shards', shardNumber)
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output, now }, count = '') => {
    const wanted = Number(count);
    const result = await setShards(await stack.shardChange(now), wanted).catch(explainRedisAway);
    if (result.status !== 'set' && result.status !== 'unchanged') throw tryAgainLater(explain(result));
    output.record({
      shards: wanted,
      status: result.status,
      moved: result.status === 'set' ? result.moved : 0,
    });
    output.note(`Start every process with QUEUE_SHARDS=${wanted}.`);
  });
}

/** It is unknown whether the move has begun. */
function explainRedisAway(error: unknown): never {
  if (!isRedisUnavailable(error)) throw error;
  throw tryAgainLater(
    `Redis didn't execute or confirm every step (${(error as Error).message}). Nothing is lost. Run this command again once Redis and its replicas are available. If the move has begun, no process can start until it finishes.`,
    error,
  );
}

function explain(result: Exclude<ShardsSet, { status: 'set' | 'unchanged' }>): string {
  switch (result.status) {
    case 'already_changing':
      return 'Another "sluice shards set" is running, or was killed in the last 10 seconds. Run this command again once it has ended.';
    case 'still_waiting':
      return `${result.unfinished} groups or counters wait in shards that would be removed. Let the workers finish them with the previous QUEUE_SHARDS, then run this command again.`;
    case 'too_few_replicas':
      return "A shard has fewer Redis replicas than REDIS_WAIT_REPLICAS requires, so the move can't be confirmed. Start the missing replicas, then run this command again.";
    case 'still_running': {
      const running = result.replicas.map(({ kind, host, pid }) => `${kind} ${pid} on ${host}`).join(', ');
      return `Still running in the last 10 seconds: ${running}. Stop every ingress and API server (workers and dispatchers may continue), then run this command again.`;
    }
  }
}
