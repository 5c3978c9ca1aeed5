import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readPlainRequest } from '@sluice/ingress/http/plain/read-plain-request';
import { expect } from 'chai';
import { PATH, raw, USUAL } from './support/plain-bytes.ts';

describe('a plain request', () => {
  it('has its source, its headers in lower case, and the exact bytes of its body', () => {
    const body = '{"title":"\u00ff\u0000\r\n\r\n"}';
    const bytes = raw({ body, more: 'X-Forwarded-For:  198.51.100.7, 203.0.113.9 \r\nx-eMPTY:\r\n' });
    expect(readPlainRequest(bytes)).to.deep.equal({
      sourceId: 'src_1',
      kind: 'events',
      headers: {
        host: 'sluice.example',
        'content-type': 'application/json',
        'x-service-signature': 'sha256=00',
        'x-service-timestamp': '1790000000',
        'content-length': String(body.length),
        'x-forwarded-for': '198.51.100.7, 203.0.113.9',
        'x-empty': '',
      },
      body: Buffer.from(body, 'latin1'),
    });
  });

  it('has its channel at the endpoint of conversations', () => {
    const start = 'POST /api/v1/conversations/webhook/chn_1-a HTTP/1.1';
    expect(readPlainRequest(raw({ start }))).to.include({ sourceId: 'chn_1-a', kind: 'channel' });
    for (const other of ['/api/v1/eventconversations/webhook/', '/api/v1/conversation/webhook/'])
      expect(readPlainRequest(raw({ start: `POST ${other}chn_1 HTTP/1.1` }))).to.equal('not_plain');
  });

  it('waits for a body in a separate packet, and for nothing else', () => {
    const whole = raw({ body: '{"a":1}' });
    const head = whole.subarray(0, -7);
    expect(readPlainRequest(head)).to.equal('no_body_yet');
    for (let at = 0; at < whole.length; at++)
      if (at !== head.length)
        expect(readPlainRequest(whole.subarray(0, at)), `${at} bytes`).to.equal('not_plain');
  });

  const without = (name: string) => Object.fromEntries(Object.entries(USUAL).filter(([key]) => key !== name));
  const NOT_PLAIN: Readonly<Record<string, Buffer>> = {
    'another method': raw({ start: `PUT ${PATH} HTTP/1.1` }),
    'a method in lower case': raw({ start: `post ${PATH} HTTP/1.1` }),
    'a path with a query': raw({ start: `POST ${PATH}?a=1 HTTP/1.1` }),
    'a percent-encoded path': raw({ start: 'POST /api/v1/events/webhook/src%5f1 HTTP/1.1' }),
    'an absolute target': raw({ start: `POST http://x${PATH} HTTP/1.1` }),
    'another path': raw({ start: 'POST / HTTP/1.1' }),
    'HTTP/1.0': raw({ start: `POST ${PATH} HTTP/1.0` }),
    'two spaces': raw({ start: `POST  ${PATH} HTTP/1.1` }),
    'an empty line before it': Buffer.concat([Buffer.from('\r\n'), raw()]),
    'no Host': raw({ headers: without('Host') }),
    'two Hosts': raw({ more: 'host: y\r\n' }),
    'two signatures': raw({ more: 'X-SERVICE-SIGNATURE: sha256=11\r\n' }),
    'two lengths': raw({ more: 'Content-Length: 2\r\n' }),
    'a length that is no number': Buffer.from(`${raw({ body: '' })}`.replace('Length: 0', 'Length: +0')),
    'no body': raw({ body: '' }),
    'a length with a zero before it': Buffer.from(`${raw()}`.replace('Length: 2', 'Length: 02')),
    'two requests': Buffer.concat([raw(), raw()]),
    'a byte behind it': Buffer.concat([raw(), Buffer.from(' ')]),
    'Transfer-Encoding': raw({ more: 'Transfer-Encoding: chunked\r\n' }),
    Expect: raw({ more: 'Expect: 100-continue\r\n' }),
    Upgrade: raw({ more: 'Upgrade: h2c\r\n' }),
    'Connection: close': raw({ more: 'Connection: close\r\n' }),
    'Connection: keep-alive, upgrade': raw({ more: 'Connection: keep-alive, upgrade\r\n' }),
    'Proxy-Connection': raw({ more: 'Proxy-Connection: close\r\n' }),
    // Node 20 accepts it everywhere except behind a length.
    'a tab behind its length': Buffer.from(`${raw()}`.replace('Length: 2', 'Length: 2\t')),
    'a tab in a header': raw({ more: 'X-More:\ta\r\n' }),
    'a folded header': raw({ more: 'X-More: a\r\n b\r\n' }),
    'a space before the colon': raw({ more: 'X-More : a\r\n' }),
    'a header without a name': raw({ more: ': a\r\n' }),
    'a header without a colon': raw({ more: 'X-More\r\n' }),
    'a bare line feed': raw({ more: 'X-More: a\nX-Other: b\r\n' }),
    'a bare carriage return': raw({ more: 'X-More: a\rb\r\n' }),
    'a null byte': raw({ more: 'X-More: a\u0000b\r\n' }),
    'a byte above ASCII in a header': raw({ more: 'X-More: \u00e4\r\n' }),
    'a name that every object has': raw({ more: 'constructor: a\r\n' }),
    'a name with an underscore': raw({ more: '__proto__: a\r\n' }),
    'more headers than 8 KiB': raw({ more: `X-More: ${'a'.repeat(8192)}\r\n` }),
    'a body over 64 KiB': raw({ body: 'a'.repeat(65_537) }),
  };
  for (const [name, bytes] of Object.entries(NOT_PLAIN))
    it(`is not recognised with ${name}`, () => expect(readPlainRequest(bytes)).to.equal('not_plain'));

  it('may have keep-alive in any case, and 64 KiB of body', () => {
    for (const more of ['Connection: keep-alive\r\n', 'connection: Keep-Alive\r\n'])
      expect(readPlainRequest(raw({ more, body: 'a'.repeat(65_536) }))).to.be.an('object');
  });
});

describe('the id of the source of a plain request', () => {
  const REQUESTS = 1000;
  const LONG = 'a'.repeat(7000);

  it('keeps no other part of the request in memory', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const idOf = (count: number) => {
      const start = `POST /api/v1/events/webhook/src_that_nobody_has_${count} HTTP/1.1`;
      const read = readPlainRequest(raw({ start, more: `X-More: ${LONG}\r\n` }));
      return typeof read === 'string' ? read : read.sourceId;
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    const ids = Array.from({ length: REQUESTS }, (_, count) => idOf(count));
    collect();
    expect((process.memoryUsage().heapUsed - before) / REQUESTS).to.be.below(LONG.length / 4);
    expect(ids.at(-1)).to.equal(`src_that_nobody_has_${REQUESTS - 1}`);
  });
});
