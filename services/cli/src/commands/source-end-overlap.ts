import { endOverlap, overlapEnd } from '@sluice/management/end-overlap';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { sourceRow } from '../source-row.ts';
import { noSuchSource } from './no-such-source.ts';

/** sluice source end-overlap */
export function addSourceEndOverlap(parent: Command, context: Context): void {
  const command = parent
    .command('end-overlap')
    .description(
      'end the overlap of rotate-secret --overlap; the old signing secret stops working immediately',
    )
    .argument('<source_id>', 'the source');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audit }, sourceId = '') => {
    const { accounts, sources } = await stack.store();
    const before = await sources.findSource(sourceId);
    if (before === undefined) throw noSuchSource(sourceId);
    if (overlapEnd(before, now()) === null) output.note("There is no overlap. The old secret doesn't work.");
    else {
      const directory = await stack.directory();
      await endOverlap({ accounts, sources, directory, now }, sourceId);
      await audit(before.account_id, { action: 'secret.overlap_ended', target: sourceTarget(before) });
    }
    output.record(sourceRow(stack.eventsUrl, before));
  });
}
