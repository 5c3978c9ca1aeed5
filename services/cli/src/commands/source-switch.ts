import { knownChange } from '@sluice/accounts/audit/audited';
import { isChanged, setSourceActive } from '@sluice/accounts/sources/change-source';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { CHANNELS, EVENT_SOURCES, findInFamily, noSuch, type SourceFamily } from '../source-family.ts';

/** sluice source activate, sluice source deactivate */
export function addSourceSwitch(parent: Command, context: Context): void {
  addSwitch(parent, context, EVENT_SOURCES);
}

/** sluice channel activate, sluice channel deactivate */
export function addChannelSwitch(parent: Command, context: Context): void {
  addSwitch(parent, context, CHANNELS);
}

function addSwitch(parent: Command, context: Context, family: SourceFamily): void {
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
