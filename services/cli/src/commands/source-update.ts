import { settingsInWords } from '@sluice/dashboard-api/source-settings-words';
import { knownChange } from '@sluice/management/audited';
import { changeSettings } from '@sluice/management/change-settings';
import { isChanged } from '@sluice/management/change-source';
import type { Command } from 'commander';
import { sourceTarget } from '../audit-targets.ts';
import { type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { addSettingsOptions, type SettingsOptions, settingsOf } from '../settings/settings-options.ts';
import { EVENT_SOURCES, findInFamily, noSuch } from '../source-family.ts';

const HELP = `
The next request uses the new settings. A rate that is not set is RATE_LIMIT_PER_SECOND or RATE_LIMIT_BURST.

Examples:
  sluice source update src_… --name "Booking platform" --rate-per-second 5
  sluice source update src_… --rate-per-second default --body-storage failures`;

/** sluice source update */
export function addSourceUpdate(parent: Command, context: Context): void {
  const command = addSettingsOptions(
    parent.command('update').argument(EVENT_SOURCES.argument, 'the source'),
    'source',
  )
    .description('change the name, the rate or the body storage of a source; what is not named stays')
    .addHelpText('after', HELP);

  onStores<SettingsOptions>(context, command, async ({ stack, output, options, audited }, sourceId = '') => {
    const settings = settingsOf(options);
    const detail = settingsInWords(settings);
    if (detail === '')
      throw wrongUsage('Nothing to change. Add an option, such as --name "Booking platform".');
    const { accounts, sources } = await stack.store();
    const before = await findInFamily(EVENT_SOURCES, sources, sourceId);
    const directory = await stack.directory();
    const deed = { action: 'source.changed', target: sourceTarget(before), detail } as const;
    const work = () => changeSettings({ accounts, sources, directory }, sourceId, settings);
    const changed = await audited(before.account_id, knownChange(deed, work, isChanged));
    if (changed.status === 'source_not_found') throw noSuch('source', sourceId);
    output.record(EVENT_SOURCES.row(stack.eventsUrl, changed.source));
  });
}
