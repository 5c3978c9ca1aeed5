import type { Deed } from '@sluice/accounts/audit/audited';
import { auditedInEach } from '@sluice/accounts/audit/audited';
import type { Command } from 'commander';
import { type CommonOptions, type Context, type Job, onStores } from '../context.ts';
import { failed, tryAgainLater } from '../exit-codes.ts';
import { findStaleAccounts, type Resealed, resealEverything } from '../reseal.ts';

const HELP = `
This is one step of changing SLUICE_SECRET_KEY; docs/security.md lists all of them. A second run changes nothing. It completes
one that was interrupted.`;

const DONE = 'SLUICE_SECRET_KEYS_OLD is no longer needed.';
/** The key of this command may be the former one, which the processes still need. */
const NO_FORMER_KEY =
  'This command has one key, so nothing was changed. To change the key, set SLUICE_SECRET_KEY to the new key and SLUICE_SECRET_KEYS_OLD to the former one, and run it again.';

const DROPPED =
  'no key opens the previous signing secret, so it was dropped. It was no longer accepted; the log can no longer say that a request was signed with it.';
const RUNNING =
  'Another "sluice secrets reseal" is running, or was killed in the last 10 seconds. Run this command again once it has ended.';
const INTERRUPTED = 'interrupted, and completed by a later run';

/** Number of sources between two progress messages. */
const PROGRESS_EVERY = 500;

/** sluice secrets reseal */
export function addSecretsReseal(parent: Command, context: Context): void {
  const command = parent
    .command('reseal')
    .description(
      'encrypt all secrets of sources, channels, webhook subscriptions and two-factor sign-in again with the current SLUICE_SECRET_KEY; their values stay the same',
    )
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async (job) => {
    // A second command would take the entries of this one, which it has not confirmed yet, for those of an interrupted one.
    const endClaim = await job.stack.claimReseal();
    if (endClaim === undefined) throw tryAgainLater(RUNNING);
    try {
      await reseal(job);
    } finally {
      await endClaim();
    }
  });
}

async function reseal({ stack, output, now, audit, audited }: Job<CommonOptions>): Promise<void> {
  const resealAll = () =>
    resealEverything(stack, now, ({ done, total }) => {
      if (done % PROGRESS_EVERY === 0) output.note(`${done} of ${total} sources`);
    });
  // One entry for each account, so that its admins see the change without flooding the log.
  const begunAt = now();
  const stale = await findStaleAccounts(stack);
  const ended = await auditedInEach(
    stale,
    (id, work) => audited(id, { intent: deedOf(id, 'this account'), work, deed: madeIn(id) }),
    resealAll,
  );
  const { resealed, alreadyCurrent, unreadable, accounts } = ended;
  // A process with the former key may have made a secret meanwhile.
  for (const [id, name] of accounts) if (!stale.includes(id)) await audit(id, deedOf(id, name));
  for (const id of ended.droppedPrevious) output.note(`${id}: ${DROPPED}`);
  for (const { id, why } of unreadable) output.note(`${id}: ${why}`);
  output.record({ resealed, already_current: alreadyCurrent, unreadable: unreadable.length });
  if (unreadable.length > 0)
    throw failed("Some secrets can't be decrypted. Keep every key that you still have.");
  if (stack.keyring().ids.length === 1) return output.note(NO_FORMER_KEY);
  // All that an interrupted run has announced is done now.
  const { auditLog } = await stack.store();
  await auditLog.confirmInterrupted('secret.resealed', { before: begunAt, detail: INTERRUPTED });
  output.note(DONE);
}

function deedOf(accountId: string, name: string): Deed {
  return { action: 'secret.resealed', target: { id: accountId, name } };
}

function madeIn(accountId: string) {
  return ({ accounts }: Resealed): Deed | undefined => {
    const name = accounts.get(accountId);
    return name === undefined ? undefined : deedOf(accountId, name);
  };
}
