import { knownChange } from '@sluice/accounts/audit/audited';
import { endOverlap, overlapEnd } from '@sluice/accounts/secrets/rotate-secret';
import { isChanged } from '@sluice/accounts/sources/change-source';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { CHANNELS, EVENT_SOURCES, findInFamily, type SourceFamily } from '../source-family.ts';

/** sluice source end-overlap */
export function addSourceEndOverlap(parent: Command, context: Context): void {
  addEndOverlap(parent, context, EVENT_SOURCES);
}

/** sluice channel end-overlap */
export function addChannelEndOverlap(parent: Command, context: Context): void {
  addEndOverlap(parent, context, CHANNELS);
}

function addEndOverlap(parent: Command, context: Context, family: SourceFamily): void {
  const command = parent
    .command('end-overlap')
    .description(
      'end the overlap of rotate-secret --overlap; the old signing secret stops working immediately',
    )
    .argument(family.argument, `the ${family.noun}`);

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, sourceId = '') => {
    const { accounts, sources } = await stack.store();
    const before = await findInFamily(family, sources, sourceId);
    if (overlapEnd(before, now()) === null) output.note("There is no overlap. The old secret doesn't work.");
    else {
      const directory = await stack.directory();
      const deed = { action: 'secret.overlap_ended', target: sourceTarget(before) } as const;
      const work = () => endOverlap({ accounts, sources, directory, now }, sourceId);
      await audited(before.account_id, knownChange(deed, work, isChanged));
    }
    output.record(family.row(stack.eventsUrl, before));
  });
}
