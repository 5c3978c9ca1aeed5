import { STATUS_CODES } from 'node:http';
import { KEEP_ALIVE_MS } from '@sluice/runtime/http/http-server';
import type { AnswerHeaders } from '../../answer/send.ts';

const KEPT_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n\r\n`;

/** An answer as Node's HTTP server writes it on a connection that stays open. Times are in milliseconds since 1970. */
export function answerText(status: number, headers: AnswerHeaders, payload: string, nowMs: number): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in headers) text += `${name}: ${headers[name]}\r\n`;
  return `${text}Date: ${httpDate(nowMs)}\r\n${KEPT_ALIVE}${payload}`;
}

let dated = { second: -1, text: '' };

/** Made once a second: making it costs as much as the rest of the answer. */
function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== dated.second) dated = { second, text: new Date(nowMs).toUTCString() };
  return dated.text;
}
