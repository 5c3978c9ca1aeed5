import { createServer, type IncomingMessage } from 'node:http';
import { duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { readPlainRequest } from '@sluice/ingress/http/plain/read-plain-request';
import { expect } from 'chai';
import fc from 'fast-check';
import { sized } from '../support/size.ts';
import { raw } from './support/plain-bytes.ts';

const RUNS = sized({ short: 1_000, middle: 3_000, long: 100_000 });

/** The result of Node's HTTP server for the same bytes. */
interface NodesView {
  readonly requests: readonly {
    readonly http: IncomingMessage;
    readonly body: Buffer;
    readonly staysOpen: boolean;
  }[];
  readonly refused: boolean;
}

async function readByNode(bytes: Buffer): Promise<NodesView> {
  const requests: NodesView['requests'][number][] = [];
  let refused = false;
  const server = createServer((http, response) => {
    const chunks: Buffer[] = [];
    http.on('error', () => {}).on('data', (chunk: Buffer) => chunks.push(chunk));
    http.once('end', () => {
      requests.push({ http, body: Buffer.concat(chunks), staysOpen: response.shouldKeepAlive });
      response.end();
    });
  });
  server.on('clientError', (_error, socket) => {
    refused = true;
    socket.destroy();
  });
  const [ours, theirs] = duplexPair();
  server.emit(
    'connection',
    theirs.on('error', () => {}),
  );
  ours.resume().write(bytes);
  // All of it is in this process, so Node reads the bytes within the next turns of the event loop.
  for (let turn = 0; turn < 5; turn++) await setImmediate();
  ours.destroy();
  theirs.destroy();
  return { requests, refused };
}

describe("a plain request for Node's parser", () => {
  const PIECES = [
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    ':',
    ',',
    '\u0000',
    '\u00ff',
    '0',
    '2',
    '+',
    'chunked',
    'Content-Length: 2\r\n',
    'Content-Length: 3\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Host: y\r\n',
    'Connection: close\r\n',
    'Connection: keep-alive\r\n',
    'Proxy-Connection: close\r\n',
    'Expect: 100-continue\r\n',
    'Upgrade: x\r\n',
    'X: y\r\n',
    'x-a:\t b c \t\r\n',
    ' folded\r\n',
    '\r\n\r\n',
    'GET / HTTP/1.1\r\n',
    'HTTP/1.0',
    'http://x',
    '%41',
    '?',
  ] as const;
  const edit = fc.record({
    /** The place, as a share of the whole. */
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
    added: fc.constantFrom('', ...PIECES),
    /** Most differences are at the start or end of a line. */
    where: fc.constantFrom('anywhere', 'line', 'line', 'end of line'),
  });
  const edited = fc
    .tuple(fc.constantFrom('{}', '{"a":"b"}', '\r\n\r\n'), fc.array(edit, { maxLength: 3 }))
    .map(([body, edits]) =>
      edits.reduce((text, { at, removed, added, where }) => {
        const somewhere = Math.floor(at * text.length);
        const end = text.indexOf('\r\n', somewhere);
        const place = where === 'anywhere' || end < 0 ? somewhere : where === 'line' ? end + 2 : end;
        return text.slice(0, place) + added + text.slice(place + removed);
      }, raw({ body }).toString('latin1')),
    )
    .map((text) => Buffer.from(text, 'latin1'));

  it('is the same single request, whatever change its bytes have', async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(edited, async (bytes) => {
        const read = readPlainRequest(bytes);
        if (read === 'not_plain') return;
        const { requests, refused } = await readByNode(bytes);
        if (read === 'no_body_yet') {
          expect(requests, 'it waits for the body').to.be.empty;
          return;
        }
        plain += 1;
        expect(refused, 'refused').to.equal(false);
        expect(requests).to.have.length(1);
        const [{ http, body, staysOpen }] = requests as [NodesView['requests'][number]];
        expect({ method: http.method, url: http.url, headers: { ...http.headers }, body }).to.deep.equal({
          method: 'POST',
          url: `/api/v1/events/webhook/${read.sourceId}`,
          headers: read.headers,
          body: read.body,
        });
        expect(http.complete).to.equal(true);
        expect(staysOpen, 'the connection stays open').to.equal(true);
      }),
      { numRuns: RUNS },
    );
    expect(plain, 'plain ones among them').to.be.above(RUNS / 10);
  });
});
