import { deletedDeed, deleteSource } from '@sluice/management/delete-source';
import { isChannel } from '@sluice/store/is-channel';
import type { DeletedEvents } from '@sluice/store/source';
import { type Command, Option } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { noSuch } from '../source-family.ts';
import { sourceRow } from '../source-row.ts';

interface Options extends CommonOptions {
  readonly events: DeletedEvents;
}

/** sluice source delete */
export function addSourceDelete(parent: Command, context: Context): void {
  const command = parent
    .command('delete')
    .description('delete a source permanently; its URL responds with 404 immediately')
    .argument('<source_id>', 'the source')
    .addOption(
      new Option('--events <what>', 'what becomes of its events')
        .choices(['keep', 'delete'])
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nAn API server deletes the events, usually within a minute. The delivery log stays.',
    );

  onStores<Options>(context, command, async ({ stack, output, now, audit, options }, sourceId = '') => {
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const before = await sources.findSource(sourceId);
    if (before === undefined || isChannel(before)) throw noSuch('source', sourceId);
    const result = await deleteSource(
      { accounts, sources, directory, keyring, now },
      sourceId,
      options.events,
    );
    if (result.status === 'source_not_found') throw noSuch('source', sourceId);
    await audit(before.account_id, deletedDeed(sourceTarget(before), result.source.deleted));
    output.record({
      ...sourceRow(stack.eventsUrl, before),
      active: false,
      events: result.source.deleted.events,
    });
  });
}
