import { type ShardsSet, setShards } from '@sluice/management/set-shards';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { tryAgainLater } from '../exit-codes.ts';
import { shardNumber } from '../option-types.ts';
import { isRedisAway } from '../redis-ready.ts';

const HELP = `
Stop every ingress and API first, and start them with QUEUE_SHARDS=<count> afterwards; see docs/scaling.md.
Stopped half way, run it again.`;

/** sluice shards set */
export function addShardsSet(parent: Command, context: Context): void {
  const command = parent
    .command('set')
    .description('spread the accounts over another number of shards in Redis')
    .argument('<count>', 'the number of shards from now on', shardNumber)
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

/** It may have begun to move: then nothing starts before it has come to its end. */
function explainRedisAway(error: unknown): never {
  if (!isRedisAway(error)) throw error;
  throw tryAgainLater(
    `Redis did not do or confirm all of it (${(error as Error).message}). Nothing is lost. Run this again once Redis and its replicas are well; until it has come to its end no process may start.`,
    error,
  );
}

function explain(result: Exclude<ShardsSet, { status: 'set' | 'unchanged' }>): string {
  switch (result.status) {
    case 'already_changing':
      return 'Another "sluice shards set" is at work, or was killed in the last 10 seconds. Run this again once it has ended.';
    case 'still_waiting':
      return `${result.unfinished} groups or counters wait in shards that would go. Let the workers finish them, with QUEUE_SHARDS as it was, and run this again.`;
    case 'too_few_replicas':
      return 'A shard has fewer Redis replicas than REDIS_WAIT_REPLICAS asks for, so what is moved could not be confirmed. Bring them back, and run this again.';
    case 'still_running': {
      const who = result.replicas.map(({ kind, host, pid }) => `${kind} ${pid} on ${host}`).join(', ');
      return `Heard of in the last 10 seconds: ${who}. Stop every ingress and API (workers may go on), and run this again.`;
    }
  }
}
