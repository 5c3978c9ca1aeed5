import { createHttpServer } from '@sluice/api/server';
import { closeServer } from '@sluice/runtime/http/close-server';
import { listen } from '@sluice/runtime/http/listen';
import { expect } from 'chai';
import express from 'express';
import { rawHttp } from '../support/raw-http.ts';

describe('api: invalid HTTP', () => {
  const server = createHttpServer(express());
  let url: string;
  before(async () => {
    ({ url } = await listen({ server, port: 0, host: '127.0.0.1', variable: 'API_PORT' }));
  });
  after(() => closeServer(server, { drainMs: 0, finishMs: 1000 }));

  for (const [what, sent, status] of [
    ['an invalid request', 'GARBAGE\r\n\r\n', 400],
    [
      'a request with too many headers',
      `GET / HTTP/1.1\r\nhost: x\r\ncookie: ${'y'.repeat(100_000)}\r\n\r\n`,
      431,
    ],
    ['a URL that is too long', `GET /?q=${'y'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
  ] as const) {
    it(`${what} gets ${status} with a problem`, async () => {
      const [head = '', body = ''] = (await rawHttp(url, [sent])).split('\r\n\r\n');
      expect(head)
        .to.match(new RegExp(`^HTTP/1.1 ${status} `))
        .and.contain('application/problem+json');
      const problem = JSON.parse(body);
      expect(problem).to.include({ type: '/problems/bad_request', status, code: 'bad_request' });
      expect(head).to.contain(`x-request-id: ${problem.request_id}`);
      if (status === 431) expect(problem.detail).to.match(/URL and the headers are too large together/);
    });
  }
});
