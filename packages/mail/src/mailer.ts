import { setTimeout as sleep } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@sluice/runtime/timing/backoff';
import { within } from '@sluice/runtime/timing/within';
import type { Mail } from './mail.ts';
import { openTransport } from './open-transport.ts';
import { readSmtpFailure, type SmtpFailure } from './smtp-failure.ts';

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
