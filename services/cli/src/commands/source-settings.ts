import { createSource } from '@sluice/accounts/sources/create-source';
import { settingsInWords } from '@sluice/dashboard-api/settings-words';
import { type Command, Option } from 'commander';
import { chooseAccount, noSuchAccount } from '../accounts.ts';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { givenName, rateNumber } from '../option-types.ts';
import { addSettingsOptions, type SettingsOptions, settingsOf } from '../settings/settings-options.ts';
import { EVENT_SOURCES, sourceWithSecret } from '../source-family.ts';
import { updateSource } from '../update-source.ts';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly account?: string;
  readonly ratePerSecond?: number;
  readonly rateBurst?: number;
  readonly lostKey?: true;
}

/** sluice source create */
export function addSourceCreate(parent: Command, context: Context): void {
  const command = parent
    .command('create')
    .description('create a source: an endpoint URL and a signing secret for one sender')
    .requiredOption('--name <name>', 'name of the source', givenName)
    .option('--account <id>', 'account of the source (default: demo, or the only account)')
    .option('--rate-per-second <n>', "requests per second (default: the installation's)", rateNumber)
    .option('--rate-burst <n>', "requests in a burst (default: the installation's)", rateNumber)
    .option(LOST_KEY, LOST_KEY_HELP)
    .addHelpText('after', '\nExample:\n  sluice source create --name "Booking platform"');

  onStores<CreateOptions>(context, command, async ({ stack, output, options, now, audited }) => {
    const keyring = stack.keyring();
    const { accounts, sources } = await stack.store();
    const directory = await stack.directory();
    if (!options.lostKey) expectKnownKey(keyring, (await sources.listSources({})).at(-1));
    const accountId = await chooseAccount({ accounts, output, now }, options.account);
    const { name, ratePerSecond, rateBurst } = options;
    const rates = { ...(ratePerSecond && { ratePerSecond }), ...(rateBurst && { rateBurst }) };
    const deps = { accounts, sources, directory, keyring, now };
    const result = await audited(accountId, {
      // The source has no id yet.
      intent: { action: 'source.created', target: { id: accountId, name } },
      work: () => createSource(deps, { accountId, name, ...rates }),
      deed: (made) =>
        made.status === 'created'
          ? { action: 'source.created', target: sourceTarget(made.source) }
          : undefined,
    });
    if (result.status === 'account_not_found') throw noSuchAccount(accountId);
    output.record(sourceWithSecret(stack.eventsUrl, result.source, result.signingSecret));
  });
}

const UPDATE_HELP = `
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
    .addOption(
      new Option('--external-ids <on|off>', 'whether bodies may have external_id').choices(['on', 'off']),
    )
    .description('change the name, the rate or the body storage of a source; what is not named stays')
    .addHelpText('after', UPDATE_HELP);

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
