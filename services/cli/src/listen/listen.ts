import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamedMessage } from '@sluice/contract/subscription/webhook-stream';
import type { ApiAccess } from '../api/api-access.ts';
import { type CallApi, refusalOf } from '../api/call-api.ts';
import type { Forward, Forwarded } from './forward.ts';
import { readStream } from './read-stream.ts';

export interface ListenSettings {
  readonly access: ApiAccess;
  readonly callApi: CallApi;
  readonly forward: Forward;
  /** Messages to forward. Later ones are left out. */
  readonly limit: number;
  /** The body of the request for a stream (contract: webhook-stream.ts). */
  readonly wanted: object;
  /** Aborted when the user wants to stop. */
  readonly signal: AbortSignal;
}

export interface ListenEvents {
  /** `again`: the stream had ended, and messages since then are lost. */
  onReady(stream: CreatedStream, again: boolean): void;
  onForwarded(message: StreamedMessage, forwarded: Forwarded): void;
  onMissed(count: number): void;
  onInterrupted(why: string): void;
}

export interface CreatedStream {
  readonly id: string;
  readonly secret: string;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Forwards the messages of a new stream until `signal` is aborted. Deletes the stream at the end. Throws what the API rejects, such as a
 * revoked key.
 */
export async function listen(settings: ListenSettings, events: ListenEvents): Promise<void> {
  const { signal } = settings;
  const running = new Set<Promise<void>>();
  let stream = await create(settings);
  events.onReady(stream, false);
  let after: string | undefined;
  let taken = 0;
  let pauseMs = FIRST_PAUSE_MS;
  try {
    while (!signal.aborted) {
      const path = `api/public/webhooks/${stream.id}/stream`;
      const place = after === undefined ? {} : { after };
      const ended = await readStream(
        settings.access,
        { path, signal, ...place },
        {
          onMessage(message, id) {
            after = id;
            if (taken === settings.limit) return;
            taken += 1;
            const forwarding = settings
              .forward(message)
              .then((forwarded) => events.onForwarded(message, forwarded))
              .finally(() => running.delete(forwarding));
            running.add(forwarding);
          },
          onMissed: events.onMissed,
        },
      );
      if (signal.aborted) return;
      if (ended.outcome === 'interrupted') {
        pauseMs = ended.wasOpen ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
        if (!ended.wasOpen) events.onInterrupted(ended.why);
      } else if (ended.response.status === 404) {
        stream = await create(settings);
        after = undefined;
        events.onReady(stream, true);
        continue;
      } else {
        const { status } = ended.response;
        if (status < 500 && status !== 429) throw refusalOf(settings.access.url, ended.response);
        events.onInterrupted(`the API server responded ${status}`);
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await Promise.race([Promise.all(running), sleep(LAST_ANSWERS_MS)]);
    // If it fails, the stream ends automatically after 75 s.
    await settings
      .callApi({ method: 'DELETE', path: `api/public/webhooks/${stream.id}`, timeoutMs: DELETE_MS })
      .catch(() => undefined);
  }
}

/** How long the answers of messages under way are waited for. Milliseconds. */
const LAST_ANSWERS_MS = 1000;
const DELETE_MS = 3000;

async function create({ callApi, wanted }: ListenSettings): Promise<CreatedStream> {
  const { body } = await callApi({ method: 'POST', path: 'api/public/webhooks/streams', body: wanted });
  return body as CreatedStream;
}
