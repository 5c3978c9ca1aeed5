import { type ShardsSet, setShards } from '@sluice/management/set-shards';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { tryAgainLater } from '../exit-codes.ts';
import { shardNumber } from '../option-types.ts';

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
    const result = await setShards(await stack.shardChange(now), wanted);
    if (result.status === 'still_running' || result.status === 'still_waiting')
      throw tryAgainLater(explain(result));
    output.record({
      shards: wanted,
      status: result.status,
      moved: result.status === 'set' ? result.moved : 0,
    });
    output.note(`Start every process with QUEUE_SHARDS=${wanted}.`);
  });
}

function explain(result: Extract<ShardsSet, { status: 'still_running' | 'still_waiting' }>): string {
  if (result.status === 'still_waiting')
    return `${result.unfinished} groups or counters wait in shards that would go. Let the workers finish them, with QUEUE_SHARDS as it was, and run this again.`;
  const who = result.replicas.map(({ kind, host, pid }) => `${kind} ${pid} on ${host}`).join(', ');
  return `Heard of in the last 10 seconds: ${who}. Stop every ingress and API (workers may go on), and run this again.`;
}
