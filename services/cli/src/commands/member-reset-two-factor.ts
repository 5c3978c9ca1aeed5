import { twoFactorMail } from '@sluice/mail/texts';
import { resetTwoFactor } from '@sluice/management/reset-two-factor';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';

const HELP = `
For a member who lost both the authenticator app and the recovery codes. It ends their sessions. They can then sign in
with the password alone, and set it up again if their account requires it. Verify the identity of the person first.`;

/** sluice member reset-two-factor */
export function addMemberResetTwoFactor(parent: Command, context: Context): void {
  const command = parent
    .command('reset-two-factor')
    .description('turn off two-factor sign-in for a member who lost access to it')
    .argument('<email>', 'email address of the member')
    .addHelpText('after', HELP);

  onStores<CommonOptions>(context, command, async ({ stack, output, audit, now }, email = '') => {
    const mailer = await stack.mailer({
      info: () => output.note('They get a notice by mail.'),
      warn: (fields) => {
        if ('event' in fields && fields.event === 'mail.failed')
          output.note('The notice could not be mailed. Inform them, and check SMTP_URL.');
      },
    });
    const result = await resetTwoFactor(await stack.store(), email);
    if (result.status === 'user_not_found') throw failed(`There is no user with the email address ${email}.`);
    if (result.status === 'is_off') throw failed(`${email} doesn't use two-factor sign-in.`);
    const { user, accountIds } = result;
    const target = { id: user.user_id, name: user.email };
    for (const accountId of accountIds) await audit(accountId, { action: 'member.two_factor_reset', target });
    output.note('Their sessions have ended. They can now sign in with the password alone.');
    mailer?.send(twoFactorMail(user.email, 'reset', { apiUrl: stack.apiUrl, at: now() }));
    await mailer?.close();
    output.record({ user_id: user.user_id, email: user.email, accounts: [...accountIds] });
  });
}
