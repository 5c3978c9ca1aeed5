import type { Deed } from '@sluice/accounts/audit/audited';
import { auditedInEach, knownChange } from '@sluice/accounts/audit/audited';
import { createOwnerLink, welcomeUrl } from '@sluice/accounts/people/create-link';
import { createPasswordReset, resetUrl } from '@sluice/accounts/people/password-reset';
import { formatInstant } from '@sluice/contract/time/instant';
import type { Store } from '@sluice/store/connect';
import type { Command } from 'commander';
import { chooseAccount, noSuchAccount } from '../accounts.ts';
import { type CommonOptions, type Context, type Job, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { findMember } from '../find-member.ts';

interface Options extends CommonOptions {
  readonly account?: string;
  readonly operator?: boolean;
  readonly reset?: string;
}

/** sluice owner-link */
export function addOwnerLink(parent: Command, context: Context): void {
  const command = parent
    .command('owner-link')
    .description('create a one-time link that makes its user the first owner of an account')
    .option('--account <id>', 'the account (default: demo, or the only account)')
    .option(
      '--operator',
      'also make the user an operator, who may see how many messages of all accounts wait',
    )
    .option(
      '--no-operator',
      "don't make the user an operator (the default, except for the only account without an operator)",
    )
    .option('--reset <email>', 'instead, create a one-time link that sets a new password for this user')
    .addHelpText('after', '\nThe link points to the dashboard at API_URL. A new link replaces earlier ones.');

  onStores<Options>(context, command, async (job) => {
    const { stack, output, options, now, audited } = job;
    if (options.reset !== undefined) return makeResetLink(job, options.reset);
    const { accounts, links, memberships, users } = await stack.store();
    const accountId = await chooseAccount({ accounts, output, now }, options.account);
    const operator = options.operator ?? (await isFirstInstallationOwner({ accounts, users }));
    const deedOn = (id: string): Deed => ({
      ...{ action: 'member.owner_link_made', target: { id, name: 'the first owner' } },
    });
    const result = await audited(accountId, {
      // The link has no id yet.
      intent: deedOn(accountId),
      work: () => createOwnerLink({ accounts, links, memberships, now }, accountId, { operator }),
      deed: (made) => (made.status === 'created' ? deedOn(made.link.link_id) : undefined),
    });
    if (result.status === 'account_not_found') throw noSuchAccount(accountId);
    if (result.status === 'owner_exists')
      throw failed(
        `${accountId} already has an owner, who can invite others in the dashboard. For a forgotten password: sluice owner-link --reset EMAIL`,
      );
    const also = operator ? ' and an operator, who may see how many messages of all accounts wait' : '';
    output.note(`The first person to open the link becomes the owner${also}. The link works once.`);
    output.record({
      account_id: accountId,
      url: welcomeUrl(stack.apiUrl, result.token),
      expires_at: formatInstant(result.link.expires_at),
    });
  });
}

/** Creates a link for a forgotten password if Sluice sends no email. A second factor is still required. */
async function makeResetLink({ stack, output, now, audited }: Job<Options>, email: string): Promise<void> {
  const store = await stack.store();
  const { accountIds, target } = await findMember(store, email);
  const deed = { action: 'member.reset_link_made', target } as const;
  const made = await auditedInEach(
    accountIds,
    (accountId, work) =>
      audited(
        accountId,
        knownChange(deed, work, ({ status }) => status === 'created'),
      ),
    () => createPasswordReset({ ...store, now }, email),
  );
  if (made.status === 'user_not_found') throw failed(`There is no user with the email address ${email}.`);
  const { user, token, expiresAt } = made;
  output.note('The link sets a new password for this user. It works once. Verify who receives it.');
  output.record({
    user_id: user.user_id,
    email: user.email,
    url: resetUrl(stack.apiUrl, token),
    expires_at: formatInstant(expiresAt),
  });
}

/** The first owner of the only account runs the installation, as long as there is no operator. */
async function isFirstInstallationOwner({
  accounts,
  users,
}: Pick<Store, 'accounts' | 'users'>): Promise<boolean> {
  const [all, operators] = await Promise.all([accounts.listAccounts(), users.listOperators()]);
  return all.length === 1 && operators.length === 0;
}
