import { expect } from 'chai';
import { rawHttp } from '../support/raw-http.ts';
import { use } from '../support/use.ts';
import { useApi } from '../support/use-api.ts';
import { startListening } from './support/listening.ts';

describe('api: a request without a Host header', () => {
  const api = useApi();
  const at = use(() => startListening(api.app));

  it('gets a problem that states what to send', async () => {
    for (const request of ['GET /docs HTTP/1.1\r\n\r\n', 'POST /api/dashboard/v1/session HTTP/1.1\r\n\r\n']) {
      const answer = await rawHttp(at.url, [request]);
      expect(answer)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.match(/\r\ncontent-type: application\/problem\+json\r\n/i)
        .and.match(/\r\nx-request-id: req_/i)
        .and.match(/\r\nconnection: close\r\n/i);
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
      expect(body).to.include({ code: 'bad_request', status: 400 });
      expect(body.detail).to.contain('Send Host');
    }
  });

  it('is accepted in HTTP/1.0, which does not require Host', async () => {
    expect(await rawHttp(at.url, ['GET /openapi.json HTTP/1.0\r\n\r\n'])).to.match(/^HTTP\/1\.1 200 /);
  });
});
