import { rotateSecret } from '@sluice/management/rotate-secret';
import type { Command } from 'commander';
import { aboutSource } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { sourceWithSecret } from '../source-row.ts';
import { noSuchSource } from './no-such-source.ts';

/** sluice source rotate-secret */
export function addSourceRotateSecret(parent: Command, context: Context): void {
  const command = parent
    .command('rotate-secret')
    .description('replace the signing secret; the old one stops working at once')
    .argument('<source_id>', 'the source');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audit }, sourceId = '') => {
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    const result = await rotateSecret({ accounts, sources, directory, keyring, now }, sourceId);
    if (result.status === 'source_not_found') throw noSuchSource(sourceId);
    await audit(result.source.account_id, { action: 'secret.rotated', target: aboutSource(result.source) });
    output.record(sourceWithSecret(stack.eventsUrl, result.source, result.signingSecret));
  });
}
