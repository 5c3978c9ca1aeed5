/**
 * A receiver of messages in a separate process. It responds 200 at once, or never (DEAD). It counts ids and keeps how long each
 * message took. Redis, the store and all senders share its cores, so it parses as little as possible.
 */
import { createServer } from 'node:http';
import type { ReceiverReport } from '../support/receiver.ts';

const dead = process.env.DEAD !== undefined;
let ids = new Set<string>();
let requests = 0;
let sinceKept: number[] = [];
let sinceAdmitted: number[] = [];

/** The instant behind a key in the JSON text. NaN if it has none: the naive pipeline's messages only have the first. */
function instantAfter(text: string, key: string): number {
  const at = text.indexOf(key);
  return at < 0 ? Number.NaN : Date.parse(text.slice(at + key.length, text.indexOf('"', at + key.length)));
}

const server = createServer((request, response) => {
  const now = Date.now();
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    requests += 1;
    ids.add(String(request.headers['webhook-id']));
    const text = chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString();
    sinceKept.push(now - instantAfter(text, '"timestamp":"'));
    const admitted = instantAfter(text, '"updated_at":"');
    if (!Number.isNaN(admitted)) sinceAdmitted.push(now - admitted);
    if (!dead) response.end();
  });
});
server.keepAliveTimeout = 60_000;

process.on('message', (order: 'count' | 'report' | 'reset') => {
  const report: ReceiverReport = {
    received: ids.size,
    requests,
    sinceKept: order === 'report' ? sinceKept : [],
    sinceAdmitted: order === 'report' ? sinceAdmitted : [],
  };
  if (order === 'reset') [ids, requests, sinceKept, sinceAdmitted] = [new Set(), 0, [], []];
  process.send?.(report);
});
process.on('disconnect', () => process.exit());
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  const address = server.address() as { port: number };
  process.send?.({ url: `http://127.0.0.1:${address.port}` });
});
