import { within } from '@sluice/runtime/timing/within';
import type { Transporter } from 'nodemailer';

/** A plain-text email. */
export interface Mail {
  /** The kind of mail, for the log. The recipient is never logged. */
  readonly kind: 'password_reset' | 'password_changed';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Sends in the background. Callers do not wait, because the duration would reveal whether the user exists. */
  send(mail: Mail): void;
  /** Waits a few seconds for mails that are being sent. */
  close(): Promise<void>;
}

export interface MailerSettings {
  /** `smtp://` with STARTTLS or `smtps://`. Contains user and password if the server requires them. */
  readonly url: string;
  /** `Sluice <sluice@example.com>`. */
  readonly from: string;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** How long to wait for a mail server that does not respond. */
const TIMEOUT_MS = 15_000;
const CLOSE_MS = 5000;

export function createMailer({ url, from, logger }: MailerSettings): Mailer {
  const sending = new Set<Promise<void>>();
  let opened: Promise<Transporter> | undefined;

  const send = async ({ kind, to, subject, text }: Mail): Promise<void> => {
    try {
      opened ??= open(url);
      await (await opened).sendMail({ from, to: { name: '', address: to }, subject, text });
      logger.info({ event: 'mail.sent', kind }, 'mail sent');
    } catch (error) {
      // The error message may contain the address or the server's greeting.
      const { code, responseCode, command } = error as Record<string, unknown>;
      logger.warn(
        { event: 'mail.failed', kind, code, response_code: responseCode, command },
        'mail not sent; check SMTP_URL and MAIL_FROM',
      );
    }
  };
  return {
    send(mail) {
      const one = send(mail).finally(() => sending.delete(one));
      sending.add(one);
    },
    async close() {
      await within(CLOSE_MS, Promise.all(sending), () => undefined);
      (await opened)?.close();
    },
  };
}

/** Loads nodemailer with the first mail, because most processes never send one. */
async function open(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // The mail contains a sign-in link, so TLS is required unless the URL has ?requireTLS=false.
    requireTLS: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}
