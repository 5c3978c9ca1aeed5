import { knownChange } from '@sluice/accounts/audit/audited';
import { isChanged, setSourceActive } from '@sluice/accounts/sources/change-source';
import { auditedDeletion } from '@sluice/accounts/sources/delete-source';
import { isChannel } from '@sluice/store/sources/is-channel';
import type { DeletedEvents } from '@sluice/store/sources/source';
import { type Command, Option } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { publishReplyOf } from '../publish-reply.ts';
import { CHANNELS, EVENT_SOURCES, findInFamily, noSuch, type SourceFamily } from '../source-family.ts';

/** sluice source and channel: activate, deactivate */
export function addSwitch(parent: Command, context: Context, family: SourceFamily): void {
  const { noun } = family;
  add('activate', true, `accept the requests of a ${noun} again`);
  add('deactivate', false, `reject the requests of a ${noun} with 403`);

  function add(name: string, active: boolean, description: string): void {
    const command = parent.command(name).description(description).argument(family.argument, `the ${noun}`);
    onStores<CommonOptions>(context, command, async ({ stack, output, audited }, sourceId = '') => {
      const { accounts, sources } = await stack.store();
      const directory = await stack.directory();
      const before = await findInFamily(family, sources, sourceId);
      const action = `${noun}.${active ? 'activated' : 'deactivated'}` as const;
      const work = () => setSourceActive({ accounts, sources, directory }, sourceId, active);
      const change = knownChange({ action, target: sourceTarget(before) }, work, isChanged);
      const result = await audited(before.account_id, change);
      if (result.status === 'source_not_found') throw noSuch(noun, sourceId);
      output.record(family.row(stack.eventsUrl, result.source));
    });
  }
}

interface DeleteOptions extends CommonOptions {
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

  onStores<DeleteOptions>(context, command, async ({ stack, output, now, audited, options }, id = '') => {
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
