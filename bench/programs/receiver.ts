/**
 * A receiver of messages in a separate process. It responds 200 at once, or never (DEAD). It counts ids and keeps how long each
 * message took. It shares its cores with everything that is measured, so it reads HTTP itself: node:http would cost as much as
 * a message costs its sender.
 */
import { createServer, type Socket } from 'node:net';
import type { ReceiverReport } from '../support/receiver.ts';
import { listenAndTell } from '../support/tell.ts';

const RESPONSE = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const dead = process.env.DEAD !== undefined;
let ids = new Set<string>();
let requests = 0;
let sinceKept: number[] = [];
let sinceAdmitted: number[] = [];

/** The text behind a key, up to its end. Undefined if the key is missing. */
function textAfter(text: string, key: string, end: string): string | undefined {
  const at = text.indexOf(key);
  return at < 0 ? undefined : text.slice(at + key.length, text.indexOf(end, at + key.length));
}

function receive(text: string, now: number): void {
  requests += 1;
  ids.add(textAfter(text, 'webhook-id: ', '\r\n') ?? '');
  sinceKept.push(now - Date.parse(textAfter(text, '"timestamp":"', '"') ?? ''));
  // Messages of the naive pipeline have none.
  const admitted = textAfter(text, '"updated_at":"', '"');
  if (admitted !== undefined) sinceAdmitted.push(now - Date.parse(admitted));
}

/** The length of the first request in the text, or undefined while it is incomplete. Every sender states Content-Length. */
function firstRequest(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
  return text.length < length ? undefined : length;
}

function serve(socket: Socket): void {
  let received = '';
  socket.setNoDelay(true);
  // A sender may reset the connection.
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    const now = Date.now();
    received += chunk.toString('latin1');
    for (let length = firstRequest(received); length !== undefined; length = firstRequest(received)) {
      receive(received.slice(0, length), now);
      received = received.slice(length);
      if (!dead) socket.write(RESPONSE, 'latin1');
    }
  });
}

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
listenAndTell(createServer(serve));
