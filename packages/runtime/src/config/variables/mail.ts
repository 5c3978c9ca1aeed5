import { inGroup } from '../variable-info.ts';
import { mailFrom, smtpUrl } from '../variable-types.ts';

const info = inGroup('Mail');

/** The mail server of the API. */
export const mailVariables = {
  SMTP_URL: smtpUrl().meta(
    info(
      'Mail server, for links that set a new password and notices of changed sign-in: smtps://, or smtp:// with STARTTLS. Not set: nothing is mailed.',
      'smtps://user:password@mail.example.com',
    ),
  ),
  MAIL_FROM: mailFrom().meta(
    info('Sender of these mails. Default: sluice@ and the host of API_URL.', 'Sluice <sluice@example.com>'),
  ),
} as const;
