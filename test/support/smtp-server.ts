import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received, without soft line breaks. */
  readonly raw: string;
}

export interface TestSmtpServer {
  /** A value for SMTP_URL, with a user and a password that needs percent-encoding. */
  readonly url: string;
  /** The received mails, oldest first. */
  readonly mails: readonly ReceivedMail[];
  close(): Promise<void>;
}

const USER = 'sluice';
const PASSWORD = 'p/ss@word';

export interface SmtpServerSettings {
  /** Default: any free port. */
  readonly port?: number;
  /** Called for each mail. A response code such as 451 rejects its recipient. */
  readonly reject?: () => number | undefined;
}

/** A real mail server on this machine. It requires a password, and offers no TLS. */
export async function startSmtpServer({
  port: wanted = 0,
  reject = () => undefined,
}: SmtpServerSettings = {}): Promise<TestSmtpServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === USER && password === PASSWORD) return done(null, { user: USER });
      done(new Error('wrong user or password'));
    },
    onRcptTo(_address, _session, done) {
      const responseCode = reject();
      done(responseCode === undefined ? null : Object.assign(new Error('rejected'), { responseCode }));
    },
    onData(stream, { envelope }, done) {
      text(stream).then((data) => {
        const { mailFrom, rcptTo } = envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: data.replace(/=\r\n/g, '').replace(/=3D/g, '='),
        });
        done();
      }, done);
    },
  });
  const listening = server.listen(wanted, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const credentials = `${USER}:${encodeURIComponent(PASSWORD)}`;
  return {
    url: `smtp://${credentials}@127.0.0.1:${port}?requireTLS=false`,
    mails,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
