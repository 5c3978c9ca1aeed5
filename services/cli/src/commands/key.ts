import type { Deed } from '@sluice/accounts/audit/audited';
import {
  auditedRevocation,
  type KeyRevoked,
  renamedDeed,
  renameKey,
  revokeKey,
} from '@sluice/accounts/keys/change-key';
import { createKey } from '@sluice/accounts/keys/create-key';
import { isScope, SCOPES, type Scope } from '@sluice/contract/account/scopes';
import { formatInstant, instantOrNull } from '@sluice/contract/time/instant';
import { isRedisUnavailable } from '@sluice/redis/connection/redis-away';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import { type Command, InvalidArgumentError } from 'commander';
import { chooseAccount, expectAccount, noSuchAccount } from '../accounts.ts';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { CommandFailure, failed, tryAgainLater, wrongUsage } from '../exit-codes.ts';
import { givenName, instant } from '../option-types.ts';
import type { Row } from '../output.ts';
import type { Stack } from '../stack.ts';

interface CreateOptions extends CommonOptions {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: number;
  readonly account?: string;
}

const SCOPE_LIST = Object.entries(SCOPES).map(([scope, about]) => `  ${scope.padEnd(20)} ${about}`);
const CREATE_HELP = `
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
    .addHelpText('after', CREATE_HELP);

  onStores<CreateOptions>(context, command, async ({ stack, output, options, now, audited }) => {
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
      expires_at: instantOrNull(expires_at),
    });
  });
}

function scopeList(text: string): readonly Scope[] {
  const names = text.split(',').map((part) => part.trim());
  const unknown = names.find((name) => !isScope(name));
  if (unknown === undefined) return names.filter(isScope);
  throw new InvalidArgumentError(`"${unknown}" isn't a scope. Scopes: ${Object.keys(SCOPES).join(', ')}.`);
}

interface ListOptions extends CommonOptions {
  readonly account?: string;
}

/** sluice key list */
export function addKeyList(parent: Command, context: Context): void {
  const command = parent
    .command('list')
    .description('list the API keys, oldest first, including revoked keys')
    .option('--account <id>', 'only those of one account');

  onStores<ListOptions>(context, command, async ({ stack, output, options }) => {
    const { accounts, apiKeys } = await stack.store();
    await expectAccount(accounts, options.account);
    const found = await apiKeys.listApiKeys(
      options.account === undefined ? {} : { account_id: options.account },
    );
    await output.rows(found.map(keyRow), [
      'key_id',
      'name',
      'prefix',
      'scopes',
      'expires_at',
      'revoked_at',
      'last_used_at',
    ]);
  });
}

interface RenameOptions extends CommonOptions {
  readonly name: string;
}

/** sluice key rename */
export function addKeyRename(parent: Command, context: Context): void {
  const command = parent
    .command('rename')
    .description('rename an API key; the key, its scopes and its expiry stay')
    .argument('<key_id>', 'the key')
    .requiredOption('--name <name>', 'the new name', givenName);

  onStores<RenameOptions>(
    context,
    command,
    async ({ stack, output, options: { name }, audited }, keyId = '') => {
      const { apiKeys } = await stack.store();
      const before = await apiKeys.findApiKey(keyId);
      if (before === undefined) throw noSuchKey(keyId);
      const result = await audited(before.account_id, {
        intent: renamedDeed(keyTarget({ ...before, name }), before.name),
        work: () => renameKey({ apiKeys }, keyId, name),
        deed: (renamed) =>
          renamed.status === 'renamed' ? renamedDeed(keyTarget(renamed.apiKey), renamed.oldName) : undefined,
      });
      if (result.status === 'key_not_found') throw noSuchKey(keyId);
      output.record(keyRow(result.apiKey));
    },
  );
}

/** sluice key revoke */
export function addKeyRevoke(parent: Command, context: Context): void {
  const command = parent
    .command('revoke')
    .description('revoke an API key permanently; it and its webhook subscriptions stop working immediately')
    .argument('<key_id>', 'the key');

  onStores<CommonOptions>(context, command, async ({ stack, output, now, audited }, keyId = '') => {
    const { apiKeys } = await stack.store();
    const before = await apiKeys.findApiKey(keyId);
    if (before === undefined) throw noSuchKey(keyId);
    const work = (at: number) => revokeKey({ apiKeys, now: () => at }, keyId);
    const at = now();
    const change = auditedRevocation(before, keyTarget(before), { work, now: at });
    const result = change === undefined ? await work(at) : await audited(before.account_id, change);
    if (result.status === 'key_not_found') throw noSuchKey(keyId);
    await pauseSubscriptions(stack, now, result);
    output.record(keyRow(result.apiKey));
  });
}

/** Resolves once no message leaves for a subscription of the key. Redis is needed only if the key may subscribe. */
async function pauseSubscriptions(
  stack: Stack,
  now: () => number,
  { apiKey }: Extract<KeyRevoked, { status: 'revoked' }>,
): Promise<void> {
  const { key_id: keyId, scopes } = apiKey;
  if (!scopes.includes('webhooks')) return;
  const { stopForRevokedKey } = await import('@sluice/outbound/subscriptions/pause-for-key');
  try {
    await stopForRevokedKey(await stack.publishing(now), apiKey);
  } catch (error) {
    if (!isRedisUnavailable(error) && !(error instanceof CommandFailure)) throw error;
    throw tryAgainLater(
      `The key ${keyId} is revoked, but its webhook subscriptions may still get messages: ${(error as Error).message} Run this command again to be certain.`,
      error,
    );
  }
}

/** The row of an API key for `key list` and `key revoke`. Only the key's hash is stored, so it can't be shown. */
function keyRow(key: ApiKey): Row {
  return {
    key_id: key.key_id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    account_id: key.account_id,
    created_at: formatInstant(key.created_at),
    expires_at: instantOrNull(key.expires_at),
    revoked_at: instantOrNull(key.revoked_at),
    last_used_at: instantOrNull(key.last_used_at),
  };
}

/** The error for an unknown API key. */
export function noSuchKey(keyId: string): CommandFailure {
  return failed(`There is no key ${keyId}. See: sluice key list`);
}
