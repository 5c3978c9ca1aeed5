import { formatInstant } from '@sluice/contract/instant';
import { createOwnerLink, welcomeUrl } from '@sluice/management/create-link';
import { accountsOf, createPasswordReset, resetUrl } from '@sluice/management/password-reset';
import type { Store } from '@sluice/store/connect';
import type { Command } from 'commander';
import { chooseAccount } from '../accounts.ts';
import { type CommonOptions, type Context, type Job, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { noSuchAccount } from './no-such-account.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly operator?: boolean;
  readonly reset?: string;
}

/** sluice owner-link */
export function addOwnerLink(parent: Command, context: Context): void {
  const command = parent
    .command('owner-link')
    .description('make the one-time link by which somebody becomes the first owner of an account')
    .option('--account <id>', 'which account (default: demo, or the only account)')
    .option('--operator', 'they become an operator too, who sees the queues of all accounts')
    .option('--no-operator', 'they do not (default, but for the only account while there is no operator)')
    .option('--reset <email>', 'instead, make the one-time link by which this user sets a new password')
    .addHelpText('after', '\nAPI_URL says where the dashboard is. Links that were made before are void.');

  onStores<Options>(context, command, async (job) => {
    const { stack, output, options, now, audit } = job;
    if (options.reset !== undefined) return makeResetLink(job, options.reset);
    const { accounts, links, memberships, users } = await stack.store();
    const accountId = await chooseAccount({ accounts, output, now }, options.account);
    const operator = options.operator ?? (await isFirstOfAll({ accounts, users }));
    const result = await createOwnerLink({ accounts, links, memberships, now }, accountId, { operator });
    if (result.status === 'account_not_found') throw noSuchAccount(accountId);
    if (result.status === 'owner_exists')
      throw failed(
        `${accountId} has an owner already, who can invite others in the dashboard. For a forgotten password: sluice owner-link --reset EMAIL`,
      );
    await audit(accountId, {
      action: 'member.owner_link_made',
      target: { id: result.link.link_id, name: 'the first owner' },
    });
    const also = operator ? ', and an operator, who sees the queues of all accounts' : '';
    output.note(`Whoever opens the link first becomes the owner${also}. It works once.`);
    output.record({
      account_id: accountId,
      url: welcomeUrl(stack.apiUrl, result.token),
      expires_at: formatInstant(result.link.expires_at),
    });
  });
}

/** For a forgotten password, where no mail is sent. A second factor is asked for as before. */
async function makeResetLink({ stack, output, now, audit }: Job<Options>, email: string): Promise<void> {
  const store = await stack.store();
  const made = await createPasswordReset({ ...store, now }, email);
  if (made.status === 'user_not_found') throw failed(`Nobody signs in with ${email}.`);
  const { user, token, expiresAt } = made;
  const target = { id: user.user_id, name: user.email };
  for (const accountId of await accountsOf(store, user.user_id))
    await audit(accountId, { action: 'member.reset_link_made', target });
  output.note('The link sets a new password for this user, once. Check who gets it.');
  output.record({
    user_id: user.user_id,
    email: user.email,
    url: resetUrl(stack.apiUrl, token),
    expires_at: formatInstant(expiresAt),
  });
}

/** Whoever gets the link of the only account, while nobody is an operator, is who runs the installation. */
async function isFirstOfAll({ accounts, users }: Pick<Store, 'accounts' | 'users'>): Promise<boolean> {
  const [all, operators] = await Promise.all([accounts.listAccounts(), users.listOperators()]);
  return all.length === 1 && operators.length === 0;
}
