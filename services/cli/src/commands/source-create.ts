import { createSource } from '@sluice/accounts/sources/create-source';
import type { Command } from 'commander';
import { chooseAccount } from '../accounts.ts';
import { sourceTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { expectKnownKey, LOST_KEY, LOST_KEY_HELP } from '../expect-known-key.ts';
import { noSuchAccount } from '../no-such-account.ts';
import { givenName, rateNumber } from '../option-types.ts';
import { sourceWithSecret } from '../source-row.ts';

interface Options extends CommonOptions {
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

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }) => {
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
