import type { Deed } from '@sluice/accounts/audit/audited';
import { createKey } from '@sluice/accounts/keys/create-key';
import { formatInstant } from '@sluice/contract/instant';
import { isScope, SCOPES, type Scope } from '@sluice/contract/scopes';
import { type Command, InvalidArgumentError } from 'commander';
import { chooseAccount } from '../accounts.ts';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { wrongUsage } from '../exit-codes.ts';
import { noSuchAccount } from '../no-such-account.ts';
import { givenName, instant } from '../option-types.ts';

interface Options extends CommonOptions {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: number;
  readonly account?: string;
}

const SCOPE_LIST = Object.entries(SCOPES).map(([scope, about]) => `  ${scope.padEnd(20)} ${about}`);
const HELP = `
Scopes:
${SCOPE_LIST.join('\n')}

Example:
  sluice key create --name "CRM" --scopes read:leads,webhooks --expires-at 2027-01-01T00:00:00Z`;

/** sluice key create */
export function addKeyCreate(parent: Command, context: Context): void {
  const command = parent
    .command('create')
    .description('create an API key; it is shown only once')
    .requiredOption('--name <name>', 'name of the key', givenName)
    .requiredOption('--scopes <a,b>', 'scopes of the key', scopeList)
    .option('--expires-at <datetime>', 'ISO 8601 (default: never)', instant)
    .option('--account <id>', 'account of the key (default: demo, or the only account)')
    .addHelpText('after', HELP);

  onStores<Options>(context, command, async ({ stack, output, options, now, audited }) => {
    const { name, scopes, expiresAt = null } = options;
    if (expiresAt !== null && expiresAt <= now()) throw wrongUsage('--expires-at is in the past.');
    const { accounts, apiKeys } = await stack.store();
    const accountId = await chooseAccount({ accounts, output, now }, options.account);
    const deedOn = (target: Deed['target']): Deed => ({
      ...{ action: 'key.created', target, detail: [...new Set(scopes)].join(', ') },
    });
    const result = await audited(accountId, {
      // The key has no id yet.
      intent: deedOn({ id: accountId, name }),
      work: () => createKey({ accounts, apiKeys, now }, { accountId, name, scopes, expiresAt }),
      deed: (made) => (made.status === 'created' ? deedOn(keyTarget(made.apiKey)) : undefined),
    });
    if (result.status === 'account_not_found') throw noSuchAccount(accountId);
    const { key_id, prefix, expires_at } = result.apiKey;
    output.note("Save the key now. It can't be shown again.");
    output.record({
      key: result.key,
      key_id,
      prefix,
      scopes: result.apiKey.scopes,
      expires_at: expires_at === null ? null : formatInstant(expires_at),
    });
  });
}

function scopeList(text: string): readonly Scope[] {
  const names = text.split(',').map((part) => part.trim());
  const unknown = names.find((name) => !isScope(name));
  if (unknown === undefined) return names.filter(isScope);
  throw new InvalidArgumentError(`"${unknown}" isn't a scope. Scopes: ${Object.keys(SCOPES).join(', ')}.`);
}
