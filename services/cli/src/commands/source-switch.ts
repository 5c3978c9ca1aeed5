import { setSourceActive } from '@sluice/management/set-source-active';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { sourceRow } from '../source-row.ts';
import { noSuchSource } from './no-such-source.ts';

/** sluice source activate, sluice source deactivate */
export function addSourceSwitch(parent: Command, context: Context): void {
  add('activate', true, 'accept the requests of a source again');
  add('deactivate', false, 'reject the requests of a source with 403');

  function add(name: string, active: boolean, description: string): void {
    const command = parent.command(name).description(description).argument('<source_id>', 'the source');
    onStores<CommonOptions>(context, command, async ({ stack, output, audit }, sourceId = '') => {
      const { accounts, sources } = await stack.store();
      const directory = await stack.directory();
      const result = await setSourceActive({ accounts, sources, directory }, sourceId, active);
      if (result.status === 'source_not_found') throw noSuchSource(sourceId);
      const action = active ? 'source.activated' : 'source.deactivated';
      await audit(result.source.account_id, { action, target: sourceTarget(result.source) });
      output.record(sourceRow(stack.eventsUrl, result.source));
    });
  }
}
