import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@sluice/runtime/timing/backoff';
import { within } from '@sluice/runtime/timing/within';
import type { Transporter } from 'nodemailer';
import type { Mail } from './texts.ts';

export interface Mailer {
  /** Sends in the background. Callers do not wait, because the duration would reveal whether the user exists. */
  send(mail: Mail): void;
  /** Tries all mails that wait for a retry once more, and waits a few seconds for the mails that are being sent. */
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
  /** Default: 5, 10, 20, 40 and 80 s, which is well within the life of a link. */
  readonly backoff?: Backoff;
}

const BACKOFF: Backoff = { firstMs: 5_000, longestMs: 80_000 };
/** The first attempt, and five retries. */
const ATTEMPTS = 6;
/** The maximum number of mails in memory while the mail server is away. Further ones fail at once. */
export const MOST_MAILS = 200;
const CLOSE_MS = 5_000;

export function createMailer({ url, from, logger, backoff = BACKOFF }: MailerSettings): Mailer {
  const sending = new Map<Promise<void>, Mail>();
  const closing = new AbortController();
  const transport = openTransport(url);

  const tryOnce = async ({ to, subject, text }: Mail): Promise<SmtpFailure | undefined> => {
    try {
      await (await transport()).sendMail({ from, to: { name: '', address: to }, subject, text });
      return undefined;
    } catch (error) {
      return readSmtpFailure(error);
    }
  };

  const send = async (mail: Mail): Promise<void> => {
    const { kind } = mail;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === ATTEMPTS || closing.signal.aborted;
      const failure = await tryOnce(mail);
      if (failure === undefined) {
        logger.info({ event: 'mail.sent', kind, attempt }, 'mail sent');
        return;
      }
      const fields = { kind, attempt, ...failure.fields };
      if (!failure.isTemporary || isLast) {
        logger.warn({ event: 'mail.failed', ...fields }, 'mail not sent; check SMTP_URL and MAIL_FROM');
        return;
      }
      const retryInMs = backoffMs(backoff, attempt);
      logger.warn({ event: 'mail.retried', ...fields, retry_in_ms: retryInMs }, 'mail not sent yet');
      await sleep(retryInMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  return {
    send(mail) {
      if (sending.size >= MOST_MAILS) {
        logger.warn({ event: 'mail.failed', kind: mail.kind }, 'mail not sent: too many mails wait');
        return;
      }
      const one = send(mail).finally(() => sending.delete(one));
      sending.set(one, mail);
    },
    async close() {
      closing.abort();
      await within(CLOSE_MS, Promise.all(sending.keys()), () => {
        for (const { kind } of sending.values())
          logger.warn({ event: 'mail.failed', kind }, 'mail not sent: the process stops');
      });
      await transport.close();
    },
  };
}

/** The variables of mail. */
interface MailConfig {
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

interface OpenTransport {
  (): Promise<Transporter>;
  close(): Promise<void>;
}

/** How long to wait for a mail server that does not respond. */
const TIMEOUT_MS = 15_000;

/** Loads nodemailer with the first mail, because most processes never send one. */
function openTransport(url: string): OpenTransport {
  let opened: Promise<Transporter> | undefined;
  const open = () => (opened ??= create(url));
  return Object.assign(open, {
    async close() {
      (await opened)?.close();
    },
  });
}

async function create(url: string): Promise<Transporter> {
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

/** A failed attempt to send a mail. */
interface SmtpFailure {
  /** A retry may succeed. */
  readonly isTemporary: boolean;
  /** For the log: never the message, which may contain the address or the server's greeting. */
  readonly fields: {
    readonly code: unknown;
    readonly response_code: unknown;
    readonly command: unknown;
  };
}

/** nodemailer's codes of a server that did not respond. Its other codes name a wrong setting or an unusable address. */
const NO_RESPONSE: readonly unknown[] = ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS'];

/** Reads an error of nodemailer. Without a response code of the server, only a lost connection is temporary. */
function readSmtpFailure(error: unknown): SmtpFailure {
  const { code, responseCode, command, permanent } = error as Record<string, unknown>;
  return {
    isTemporary: responseCode === undefined ? NO_RESPONSE.includes(code) : permanent === false,
    fields: { code, response_code: responseCode, command },
  };
}
