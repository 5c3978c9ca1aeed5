import { whyUnopened } from '@sluice/credentials/why-unopened';
import { showSecret } from '@sluice/management/show-secret';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { sourceWithSecret } from '../source-row.ts';
import { noSuchSource } from './no-such-source.ts';

/** sluice source show */
export function addSourceShow(parent: Command, context: Context): void {
  const command = parent
    .command('show')
    .description('show a source with its signing secret')
    .argument('<source_id>', 'the source');

  onStores<CommonOptions>(context, command, async ({ stack, output, audit }, sourceId = '') => {
    const keyring = stack.keyring();
    const { sources } = await stack.store();
    const source = await sources.findSource(sourceId);
    if (source === undefined) throw noSuchSource(sourceId);
    const secret = showSecret(keyring, source);
    if (secret.status !== 'opened') {
      throw failed(`${sourceId}: ${whyUnopened(secret)}`);
    }
    await audit(source.account_id, { action: 'secret.revealed', target: sourceTarget(source) });
    output.record(sourceWithSecret(stack.eventsUrl, source, secret.secret));
  });
}
