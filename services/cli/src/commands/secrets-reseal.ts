import { whyUnopened } from '@sluice/credentials/why-unopened';
import { type AllResealed, type ResealProgress, resealAllSecrets } from '@sluice/management/reseal-secrets';
import { resealTwoFactors } from '@sluice/management/reseal-two-factors';
import type { Command } from 'commander';
import type { Audit } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';

const HELP = `
This is one step of changing SLUICE_SECRET_KEY; docs/security.md lists all of them. A second run changes nothing.`;

const UNREADABLE_FACTOR =
  "the user's two-factor key can't be decrypted. Add the key it was encrypted with, or run: sluice member reset-two-factor EMAIL";

/** Number of sources between two progress messages. */
const PROGRESS_EVERY = 500;

/** sluice secrets reseal */
export function addSecretsReseal(parent: Command, context: Context): void {
  const command = parent
    .command('reseal')
    .description(
      'encrypt all signing secrets and two-factor keys again with the current SLUICE_SECRET_KEY; their values stay the same',
    )
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output, audit }) => {
    const keyring = stack.keyring();
    const { accounts, sources, twoFactors } = await stack.store();
    const directory = await stack.directory();
    const onProgress = ({ done, total }: ResealProgress) => {
      if (done % PROGRESS_EVERY === 0) output.note(`${done} of ${total} sources`);
    };
    const result = await resealAllSecrets({ accounts, sources, directory, keyring }, onProgress);
    await auditResealed(audit, result);
    const people = await resealTwoFactors({ twoFactors, keyring });
    for (const { source_id, opened } of result.unreadable)
      output.note(`${source_id}: ${whyUnopened(opened)}`);
    for (const { user_id } of people.unreadable) output.note(`${user_id}: ${UNREADABLE_FACTOR}`);
    const unreadable = result.unreadable.length + people.unreadable.length;
    output.record({
      resealed: result.resealed.length + people.resealed,
      already_current: result.alreadyCurrent + people.alreadyCurrent,
      unreadable,
    });
    if (unreadable > 0) throw failed("Some secrets can't be decrypted. Keep every key that you still have.");
    output.note('SLUICE_SECRET_KEYS_OLD is no longer needed.');
  });
}

/** Writes one audit log entry for each account, so that its admins see the change without flooding the log. */
async function auditResealed(audit: Audit, { resealed }: AllResealed): Promise<void> {
  const counts = new Map<string, number>();
  for (const { account_id } of resealed) counts.set(account_id, (counts.get(account_id) ?? 0) + 1);
  for (const [accountId, count] of counts) {
    const name = count === 1 ? '1 source' : `${count} sources`;
    await audit(accountId, { action: 'secret.resealed', target: { id: accountId, name } });
  }
}
