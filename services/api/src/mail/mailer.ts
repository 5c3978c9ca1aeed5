import { within } from '@sluice/runtime/process/within';
import type { Transporter } from 'nodemailer';

/** A message of plain text. */
export interface Mail {
  /** What it is about, for the log: never who it is for. */
  readonly kind: 'password_reset' | 'password_changed';
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Sends in the background. Nobody waits for it: the time a mail takes would reveal whether there is such a user. */
  send(mail: Mail): void;
  /** Waits some seconds for what is being sent. */
  close(): Promise<void>;
}

export interface MailerSettings {
  /** `smtp://` with STARTTLS or `smtps://`, with user and password where the server asks for them. */
  readonly url: string;
  /** `Sluice <sluice@example.com>`. */
  readonly from: string;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** A mail server that does not answer keeps no mail waiting for longer than this. */
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
      // The message of the error may repeat the address or the server's greeting.
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

/** Loaded when the first mail is sent: most processes never send one. */
async function open(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    // A link in a mail signs in: it goes over TLS, unless the URL has ?requireTLS=false.
    requireTLS: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}
