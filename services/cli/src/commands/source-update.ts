import { settingsInWords } from '@sluice/dashboard-api/settings-words';
import type { Command } from 'commander';
import { type Context, onStores } from '../context.ts';
import { addSettingsOptions, type SettingsOptions, settingsOf } from '../settings/settings-options.ts';
import { EVENT_SOURCES } from '../source-family.ts';
import { updateSource } from '../update-source.ts';

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

  onStores<SettingsOptions>(context, command, async ({ stack, output, options, audited }, id = '') => {
    const settings = settingsOf(options);
    const source = await updateSource(
      { stack, audited },
      {
        ...{ family: EVENT_SOURCES, id, settings, detail: settingsInWords(settings) },
        example: '--name "Booking platform"',
      },
    );
    output.record(EVENT_SOURCES.row(stack.eventsUrl, source));
  });
}
