import { performance } from 'node:perf_hooks';
import type { WebhookRequest, WebhookRequests } from '@sluice/store/outbound/webhook-requests';
import type { Entry, Result, TakenEntry } from '../queue/turn.ts';

/** What people and programs have asked a turn to send (webhook-requests.ts). */
export interface TurnRequests {
  /** By the number of the next attempt. It is negative, because the others are numbers of the log. */
  readonly open: Map<number, WebhookRequest>;
  /** There may be more, which are due from then on. Milliseconds since the Unix epoch. */
  readonly moreAt: number | null;
  /** An instant of performance.now() before they were read. */
  readonly readAt: number;
  lastNumber: number;
}

/** Requests of all subscriptions that are claimed together. */
const READ_AT_ONCE = 1_000;

export interface TakeRequestsDeps {
  readonly requests: Pick<WebhookRequests, 'findRequests' | 'postponeRequest' | 'removeRequests'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The requests of a dispatcher's turns. Rejects if MongoDB does not respond. */
export interface TakeRequests {
  /** Reads the requests of claimed subscriptions. */
  load(subscriptionIds: readonly string[]): Promise<(subscriptionId: string) => TurnRequests>;
  /** Those that may be attempted now, oldest first, at most `most`. */
  take(requests: TurnRequests, taken: ReadonlyMap<number, unknown>, most: number): TakenEntry[];
  /** Stores what became of those that were taken. Results of other messages are passed over. */
  settle(requests: TurnRequests, results: readonly Result[]): Promise<void>;
}

export function createTakeRequests({ requests: stored, now }: TakeRequestsDeps): TakeRequests {
  return {
    async load(ids) {
      const readAt = performance.now();
      const found = await stored.findRequests(ids, { now: now(), limit: READ_AT_ONCE });
      const moreAt = found.length < READ_AT_ONCE ? null : (found.at(-1)?.not_before ?? null);
      return (id) => {
        const requests: TurnRequests = { ...{ open: new Map(), readAt, lastNumber: 0 }, moreAt };
        for (const one of found) if (one.subscription_id === id) add(requests, one);
        return requests;
      };
    },
    take({ open, readAt }, taken, most) {
      const due = [...open].filter(([number, { not_before }]) => !taken.has(number) && not_before <= now());
      return due
        .slice(0, most)
        .map(([number, one]) => ({ ...entryOfRequest(one, number), text: one.text ?? null, readAt }));
    },
    async settle(requests, results) {
      const ended: string[] = [];
      for (const result of results) {
        const { number } = result;
        const request = requests.open.get(number);
        if (request === undefined) continue;
        switch (result.outcome) {
          case 'done':
          case 'no_text':
          case 'resent':
            requests.open.delete(number);
            ended.push(request.request_id);
            break;
          case 'again': {
            const later = { ...request, attempts: request.attempts + 1, not_before: result.dueAt };
            requests.open.delete(number);
            // The log has each number once.
            add(requests, later);
            await stored.postponeRequest(later);
            break;
          }
          case 'given_back':
            break;
          default:
            result satisfies never;
        }
      }
      await stored.removeRequests(ended);
    },
  };
}

/** When the first of them is due, in milliseconds since the Unix epoch; null without any. */
export function requestDue({ open, moreAt }: TurnRequests): number | null {
  const dues = [...open.values()].map(({ not_before }) => not_before);
  const due = Math.min(moreAt ?? Number.POSITIVE_INFINITY, ...dues);
  return due === Number.POSITIVE_INFINITY ? null : due;
}

function add(requests: TurnRequests, request: WebhookRequest): void {
  requests.lastNumber -= 1;
  requests.open.set(requests.lastNumber, request);
}

/** `number`: of its attempt. */
export function entryOfRequest(request: WebhookRequest, number: number): Entry {
  const { created_at, text } = request;
  return {
    ...{ number, messageId: request.message_id, changeId: request.change_id, kind: request.kind },
    ...{ recordId: request.record_id, attempts: request.attempts, redelivery: text === undefined },
    ...{ recovered: false, pushedAt: created_at },
  };
}
