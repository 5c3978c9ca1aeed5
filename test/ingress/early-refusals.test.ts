import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { useIngress } from '../support/ingress.ts';
import { postUpsert } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { sized } from '../support/size.ts';

/** Some begin at once, and some wait for a later turn of the event loop. */
const CONNECTIONS = 12;

describe('ingress: a rejection sent before the end of its body is the last response of its connection', () => {
  const ingress = useIngress();

  const head = (path: string, lines: Record<string, string | number>) =>
    `POST ${path} HTTP/1.1\r\nhost: x\r\n${Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`;

  /** A rightly signed request. If it began, its event would be enqueued. */
  function pipelinedUpsert(): string {
    const { body, headers } = signed({ secret: ingress.source.secret, body: upsertBody() });
    return `${head(ingress.source.path, { ...headers, 'content-length': body.length })}${body}`;
  }

  const EARLY = {
    'a content type that is not JSON': (size: number) => ({
      status: 415,
      head: head(ingress.source.path, { 'content-type': 'text/plain', 'content-length': size }),
    }),
    'a body that is too large': (size: number) => ({
      status: 413,
      head: head(ingress.source.path, {
        'content-type': 'application/json',
        'content-length': 300_000 + size,
      }),
    }),
    'a path that does not exist': (size: number) => ({
      status: 404,
      head: head('/nothing/here', { 'content-type': 'application/json', 'content-length': size }),
    }),
  };

  /** Sends the head and a part of the body. After the rejection it sends the rest, with pipelined requests behind it. */
  async function send(first: string, rest: Buffer, step: number, ends: boolean): Promise<string> {
    const socket = connect({
      port: Number(new URL(ingress.url).port),
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    let answer = '';
    socket.on('error', () => {});
    socket.once('end', () => socket.end());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.write(first);
    await once(socket, 'data');
    // The server may reset a connection whose client goes on sending; `once` would reject then.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (let at = 0; at < rest.length && !socket.destroyed; at += step) {
      socket.write(rest.subarray(at, at + step));
      await new Promise(setImmediate);
    }
    if (ends) socket.end();
    await closed;
    return answer;
  }

  for (const [name, rejectionOf] of Object.entries(EARLY))
    it(`${name}: no request that is pipelined behind it begins, and the ingress still works`, async () => {
      const before = (await ingress.enqueuedActions()).length;
      const settings = fc.record({
        size: fc.constantFrom(100, 20_000, 64_000, 100_000),
        behind: fc.constantFrom(1, 20, 300),
        step: fc.constantFrom(700, 16_384, 1_000_000),
        ends: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(settings, async ({ size, behind, step, ends }) => {
          const { status, head: first } = rejectionOf(size);
          const upserts = Array.from({ length: behind }, pipelinedUpsert).join('');
          const rest = Buffer.from('x'.repeat(status === 413 ? 300_000 + size - 10 : size - 10) + upserts);
          const answers = await Promise.all(
            Array.from({ length: CONNECTIONS }, () => send(first + 'x'.repeat(10), rest, step, ends)),
          );
          for (const answer of answers)
            expect(answer.match(/HTTP\/1\.1 \d{3}/g)).to.deep.equal([`HTTP/1.1 ${status}`]);
        }),
        { numRuns: sized({ short: 3, middle: 8, long: 100 }) },
      );
      expect((await ingress.enqueuedActions()).length).to.equal(before);
      expect((await postUpsert(ingress.url, await ingress.addSource())).status).to.equal(200);
    });
});
