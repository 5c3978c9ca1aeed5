import { expect } from 'chai';
import { startApi, type TestApi } from '../../support/api.ts';
import { startSmtpServer, type TestSmtpServer } from '../../support/smtp-server.ts';

/** Two API servers that send mails to a server of the test. */
export function useMails() {
  let smtp: TestSmtpServer;
  let api: TestApi;
  let isClosed = false;
  before(async () => {
    smtp = await startSmtpServer();
    api = await startApi({ config: { SMTP_URL: smtp.url, API_URL: 'https://sluice.example.com/' } });
    expect(api.replicas).to.have.length(2);
  });
  /** Waits for the sweeps of both servers, and for the mails that they are sending. */
  const closeApi = async () => {
    if (!isClosed) await api?.close();
    isClosed = true;
  };
  after(async () => {
    await closeApi();
    await smtp?.close();
  });
  return { api: () => api, smtp: () => smtp, closeApi };
}
