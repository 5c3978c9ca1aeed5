/** The floor: node:http, the signature and JSON.parse, without a queue. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { listenAndTell } from '../support/tell.ts';

const secret = process.env.SECRET as string;
const answer = '{"ok":true}';
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const raw = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    const expected = createHmac('sha256', secret)
      .update(`${request.headers['x-service-timestamp']}.`)
      .update(raw)
      .digest();
    const claimed = Buffer.from(String(request.headers['x-service-signature']).slice(7), 'hex');
    const valid =
      claimed.length === expected.length &&
      timingSafeEqual(claimed, expected) &&
      JSON.parse(raw.toString()).action;
    response.writeHead(valid ? 200 : 401, {
      'content-type': 'application/json',
      'content-length': answer.length,
    });
    response.end(answer);
  });
});
listenAndTell(server);
