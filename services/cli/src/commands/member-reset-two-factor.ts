import { auditedInEach, knownChange } from '@sluice/accounts/audit/audited';
import { resetTwoFactor } from '@sluice/accounts/people/reset-two-factor';
import { twoFactorMail } from '@sluice/mail/texts';
import type { Command } from 'commander';
import { type CommonOptions, type Context, onStores } from '../context.ts';
import { failed } from '../exit-codes.ts';
import { findMember } from '../find-member.ts';

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

  onStores<CommonOptions>(context, command, async ({ stack, output, audited, now }, email = '') => {
    const mailer = await stack.mailer({
      info: () => output.note('They get a notice by mail.'),
      warn: (fields) => {
        if ('event' in fields && fields.event === 'mail.failed')
          output.note('The notice could not be mailed. Inform them, and check SMTP_URL.');
      },
    });
    const store = await stack.store();
    const { user, accountIds, target } = await findMember(store, email);
    const deed = { action: 'member.two_factor_reset', target } as const;
    const isReset = await auditedInEach(
      accountIds,
      (accountId, work) =>
        audited(
          accountId,
          knownChange(deed, work, (isMade) => isMade),
        ),
      () => resetTwoFactor(store, user.user_id),
    );
    if (!isReset) throw failed(`${email} doesn't use two-factor sign-in.`);
    output.note('Their sessions have ended. They can now sign in with the password alone.');
    mailer?.send(twoFactorMail(user.email, 'reset', { apiUrl: stack.apiUrl, at: now() }));
    await mailer?.close();
    output.record({ user_id: user.user_id, email: user.email, accounts: [...accountIds] });
  });
}
