import { renamedDeed, renameKey } from '@sluice/management/rename-key';
import type { Command } from 'commander';
import { keyTarget } from '../audit-targets.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { keyRow } from '../key-row.ts';
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

  onStores<Options>(context, command, async ({ stack, output, options: { name }, audit }, keyId = '') => {
    const { apiKeys } = await stack.store();
    const result = await renameKey({ apiKeys }, keyId, name);
    if (result.status === 'key_not_found') throw failed(`There is no key ${keyId}. See: sluice key list`);
    const { apiKey } = result;
    if (result.status === 'renamed')
      await audit(apiKey.account_id, renamedDeed(keyTarget(apiKey), result.oldName));
    output.record(keyRow(apiKey));
  });
}
