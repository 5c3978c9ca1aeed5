import { createMailer, type Mailer, type MailerSettings } from './mailer.ts';

/** The variables of mail. */
export interface MailConfig {
  readonly SMTP_URL?: string | undefined;
  readonly MAIL_FROM?: string | undefined;
  readonly API_URL: string;
}

/** Returns undefined when this installation sends no mail (SMTP_URL). */
export function openMailer(
  { SMTP_URL: url, MAIL_FROM, API_URL }: MailConfig,
  logger: MailerSettings['logger'],
): Mailer | undefined {
  if (url === undefined) return undefined;
  return createMailer({ url, from: MAIL_FROM ?? `Sluice <sluice@${new URL(API_URL).hostname}>`, logger });
}
