import {
  missedMessages,
  type StreamedMessage,
  streamedMessage,
} from '@sluice/contract/subscription/webhook-stream';
import { createParser } from 'eventsource-parser';
import type { ApiAccess } from '../api/api-access.ts';
import { type ApiResponse, headersOf } from '../api/call-api.ts';
import { jsonOrText } from '../http/json-or-text.ts';
import { request } from '../http/request.ts';

export interface StreamHandlers {
  /** `id` is the place to resume from. */
  onMessage(message: StreamedMessage, id: string): void;
  onMissed(count: number): void;
}

export type StreamEnd =
  /** The connection ended, or could not be made. Connect again. */
  | { readonly outcome: 'interrupted'; readonly wasOpen: boolean; readonly why: string }
  | { readonly outcome: 'refused'; readonly response: ApiResponse };

/** The server sends a comment every 15 s. Without any for this long the connection is dead. Milliseconds. */
const SILENCE_MS = 45_000;

/** Reads a stream until it ends. Never rejects. */
export async function readStream(
  access: ApiAccess,
  { path, after, signal }: { readonly path: string; readonly after?: string; readonly signal: AbortSignal },
  handlers: StreamHandlers,
): Promise<StreamEnd> {
  let wasOpen = false;
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const response = await request(new URL(path, access.url), {
      method: 'GET',
      headers: {
        ...headersOf(access, false),
        accept: 'text/event-stream',
        ...(after !== undefined && { 'last-event-id': after }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    response.setEncoding('utf8');
    if (response.statusCode !== 200) {
      let text = '';
      for await (const chunk of response) text += chunk;
      return {
        outcome: 'refused',
        response: { status: response.statusCode ?? 0, headers: {}, body: jsonOrText(text) },
      };
    }
    wasOpen = true;
    const parser = createParser({ onEvent: (event) => handle(event, handlers) });
    for await (const chunk of response) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      parser.feed(chunk);
    }
    return { outcome: 'interrupted', wasOpen, why: 'the server ended the stream' };
  } catch (error) {
    const { message, code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { outcome: 'interrupted', wasOpen, why: message || code };
  } finally {
    clearTimeout(timer);
  }
}

function handle(
  { event, id, data }: { event?: string | undefined; id?: string | undefined; data: string },
  handlers: StreamHandlers,
): void {
  const value = jsonOrText(data);
  if (event === 'message') handlers.onMessage(streamedMessage.parse(value), id ?? '');
  if (event === 'missed') handlers.onMissed(missedMessages.parse(value).count);
}
