import { auditedDeletion } from '@sluice/accounts/sources/delete-source';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { DeletedEvents } from '@sluice/store/sources/source';
import { type Command, Option } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { publishReplyOf } from '../publish-reply.ts';
import { CHANNELS, EVENT_SOURCES, noSuch, type SourceFamily } from '../source-family.ts';

interface Options extends CommonOptions {
  readonly events?: DeletedEvents;
  readonly conversations?: DeletedEvents;
}

/** sluice source delete */
export function addSourceDelete(parent: Command, context: Context): void {
  addDelete(parent, context, { family: EVENT_SOURCES, contents: 'events', log: 'The delivery log stays.' });
}

/** sluice channel delete */
export function addChannelDelete(parent: Command, context: Context): void {
  const log = 'The delivery log loses the stored requests of deleted conversations.';
  addDelete(parent, context, { family: CHANNELS, contents: 'conversations', log });
}

interface Deletable {
  readonly family: SourceFamily;
  readonly contents: 'events' | 'conversations';
  /** A sentence about the delivery log. */
  readonly log: string;
}

function addDelete(parent: Command, context: Context, { family, contents, log }: Deletable): void {
  const { noun, kind } = family;
  const command = parent
    .command('delete')
    .description(`delete a ${noun} permanently; its URL responds with 404 immediately`)
    .argument(family.argument, `the ${noun}`)
    .addOption(
      new Option(`--${contents} <keep|delete>`, `what becomes of its ${contents}`)
        .choices(['keep', 'delete'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', `\nAn API server deletes the ${contents}, usually within a minute. ${log}`);

  onStores<Options>(context, command, async ({ stack, output, now, audited, options }, id = '') => {
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const before = await sources.findSource(id);
    if (before === undefined || isChannel(before) !== (kind === 'channel')) throw noSuch(noun, id);
    const wanted = options[contents] ?? 'keep';
    const deletion = auditedDeletion({ accounts, sources, directory, keyring, now }, before, wanted);
    const result = await audited(before.account_id, deletion);
    if (result.status === 'source_not_found') throw noSuch(noun, id);
    const { source } = result;
    // Before the row: it states that no reply leaves any more.
    if (isChannel(source)) await publishReplyOf(stack, now, source);
    const row = family.row(stack.eventsUrl, before);
    output.record({ ...row, active: false, [contents]: source.deleted.events });
  });
}
