import { renamedDeed, renameKey } from '@sluice/accounts/keys/change-key';
import type { Command } from 'commander';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { keyRow } from '../key-row.ts';
import { noSuchKey } from '../no-such-key.ts';
import { givenName } from '../option-types.ts';

interface Options extends CommonOptions {
  readonly name: string;
}

/** sluice key rename */
export function addKeyRename(parent: Command, context: Context): void {
  const command = parent
    .command('rename')
    .description('rename an API key; the key, its scopes and its expiry stay')
    .argument('<key_id>', 'the key')
    .requiredOption('--name <name>', 'the new name', givenName);

  onStores<Options>(context, command, async ({ stack, output, options: { name }, audited }, keyId = '') => {
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
  });
}
