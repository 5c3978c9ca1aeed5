import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createMailer, type Mailer, MOST_MAILS } from '@sluice/mail/mailer';
import type { Mail } from '@sluice/mail/texts';
import { expect } from 'chai';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { until } from '../support/until.ts';

const MAIL: Mail = { kind: 'password_changed', to: 'ada@example.com', subject: 'Changed', text: 'It was.' };
const SOON = { firstMs: 5, longestMs: 20 };
/** Long enough to start a server meanwhile. */
const LATER = { firstMs: 200, longestMs: 2_000 };
const LATE = { firstMs: 600_000, longestMs: 600_000 };

interface Line {
  readonly event: string;
  readonly attempt?: number;
  readonly retry_in_ms?: number;
  readonly response_code?: number;
}

describe('mailer', () => {
  let lines: Line[];
  let mailer: Mailer | undefined;
  let smtp: TestSmtpServer | undefined;
  beforeEach(() => {
    lines = [];
  });
  afterEach(async () => {
    await mailer?.close();
    await smtp?.close();
    mailer = undefined;
    smtp = undefined;
  });

  const events = () => lines.map(({ event }) => event);
  const logged = (event: string) =>
    until(() => events().includes(event), { what: event }).then(() =>
      lines.find((line) => line.event === event),
    );
  function open(url: string, backoff = SOON): Mailer {
    const note = (fields: object) => void lines.push(fields as Line);
    mailer = createMailer({ url, from: 'sluice@example.com', logger: { info: note, warn: note }, backoff });
    return mailer;
  }
  async function closedPort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  it('sends a mail that the server accepts only at the third attempt', async () => {
    let attempts = 0;
    smtp = await startSmtpServer({ reject: () => (++attempts < 3 ? 451 : undefined) });
    open(smtp.url).send(MAIL);
    expect(await logged('mail.sent')).to.include({ kind: 'password_changed', attempt: 3 });
    expect(events()).to.deep.equal(['mail.retried', 'mail.retried', 'mail.sent']);
    expect(lines.slice(0, 2)).to.containSubset([
      { attempt: 1, retry_in_ms: 5, response_code: 451 },
      { attempt: 2, retry_in_ms: 10, response_code: 451 },
    ]);
    expect(smtp.mails.map(({ to }) => to)).to.deep.equal([['ada@example.com']]);
  });

  it('sends a mail once a server that was away is back', async () => {
    const port = await closedPort();
    open(`smtp://sluice:${encodeURIComponent('p/ss@word')}@127.0.0.1:${port}?requireTLS=false`, LATER).send(
      MAIL,
    );
    await logged('mail.retried');
    smtp = await startSmtpServer({ port });
    await until(() => smtp?.mails.length === 1 || events().includes('mail.failed'), { what: 'an end' });
    expect(smtp.mails).to.have.length(1);
  });

  it('gives up after six attempts', async () => {
    open(`smtp://127.0.0.1:${await closedPort()}?requireTLS=false`).send(MAIL);
    expect(await logged('mail.failed')).to.include({ attempt: 6, code: 'ESOCKET' });
    expect(events()).to.deep.equal([...Array(5).fill('mail.retried'), 'mail.failed']);
  });

  it('does not try again what the server rejected permanently, such as an unknown address', async () => {
    smtp = await startSmtpServer({ reject: () => 550 });
    open(smtp.url, LATE).send(MAIL);
    expect(await logged('mail.failed')).to.include({ attempt: 1, response_code: 550 });
    expect(events()).to.deep.equal(['mail.failed']);
  });

  it('does not try a wrong password again, which could lock the user of the mail server out', async () => {
    smtp = await startSmtpServer();
    open(smtp.url.replace('p%2Fss', 'wrong'), LATE).send(MAIL);
    expect(await logged('mail.failed')).to.include({ attempt: 1, code: 'EAUTH' });
    expect(events()).to.deep.equal(['mail.failed']);
  });

  it('tries a waiting mail once more when the process stops, and does not wait longer', async () => {
    let attempts = 0;
    smtp = await startSmtpServer({ reject: () => (++attempts === 1 ? 451 : undefined) });
    open(smtp.url, LATE).send(MAIL);
    await logged('mail.retried');
    await mailer?.close();
    expect(events()).to.deep.equal(['mail.retried', 'mail.sent']);
  });

  it('keeps a bounded number of mails while the server is away', async () => {
    const full = open(`smtp://127.0.0.1:${await closedPort()}?requireTLS=false`, LATE);
    for (let n = 0; n < MOST_MAILS; n += 1) full.send(MAIL);
    expect(events()).to.not.include('mail.failed');
    full.send(MAIL);
    expect(events()).to.deep.equal(['mail.failed']);
  });
});
