import { resetTwoFactor } from '@sluice/management/reset-two-factor';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';

const HELP = `
For a member who has lost both authenticator app and recovery codes. Their sessions end. They sign in with
the password alone, and set it up again where their account requires it. Check who asks for this.`;

/** sluice member reset-two-factor */
export function addMemberResetTwoFactor(parent: Command, context: Context): void {
  const command = parent
    .command('reset-two-factor')
    .description('turn off the two-factor sign-in of a member who has lost it')
    .argument('<email>', 'what they sign in with')
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output, audit }, email = '') => {
    const result = await resetTwoFactor(await stack.store(), email);
    if (result.status === 'user_not_found') throw failed(`Nobody signs in with ${email}.`);
    if (result.status === 'is_off') throw failed(`${email} has no two-factor sign-in.`);
    const { user, accountIds } = result;
    const target = { id: user.user_id, name: user.email };
    for (const accountId of accountIds) await audit(accountId, { action: 'member.two_factor_reset', target });
    output.note('Their sessions have ended. The password alone signs them in now.');
    output.record({ user_id: user.user_id, email: user.email, accounts: [...accountIds] });
  });
}
