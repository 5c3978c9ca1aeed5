import { whyUnopened } from '@sluice/credentials/why-unopened';
import { type AllResealed, type ResealProgress, resealAllSecrets } from '@sluice/management/reseal-secrets';
import { resealTwoFactors } from '@sluice/management/reseal-two-factors';
import type { Command } from 'commander';
import type { Audit } from '../audit.ts';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';

const HELP = `
The steps of a change of SLUICE_SECRET_KEY, of which this is one, are in docs/security.md. Run again it changes nothing.`;

const UNREADABLE_FACTOR =
  'no key opens the key of their second factor. Add the key it was encrypted with, or run: sluice member reset-two-factor EMAIL';

/** Sources between two lines of progress. */
const TELL_EVERY = 500;

/** sluice secrets reseal */
export function addSecretsReseal(parent: Command, context: Context): void {
  const command = parent
    .command('reseal')
    .description(
      'encrypt all signing secrets and keys of second factors with the current SLUICE_SECRET_KEY; they stay the same',
    )
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output, audit }) => {
    const keyring = stack.keyring();
    const { accounts, sources, twoFactors } = await stack.store();
    const directory = await stack.directory();
    const tell = ({ done, total }: ResealProgress) => {
      if (done % TELL_EVERY === 0) output.note(`${done} of ${total} sources`);
    };
    const result = await resealAllSecrets({ accounts, sources, directory, keyring }, tell);
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
    if (unreadable > 0) throw failed('Some secrets cannot be read: keep every key that you still have.');
    output.note('No secret needs SLUICE_SECRET_KEYS_OLD any more.');
  });
}

/** One entry for each account: its admins are told, and their log is not flooded. */
async function auditResealed(audit: Audit, { resealed }: AllResealed): Promise<void> {
  const counts = new Map<string, number>();
  for (const { account_id } of resealed) counts.set(account_id, (counts.get(account_id) ?? 0) + 1);
  for (const [accountId, count] of counts) {
    const name = count === 1 ? '1 source' : `${count} sources`;
    await audit(accountId, { action: 'secret.resealed', target: { id: accountId, name } });
  }
}
