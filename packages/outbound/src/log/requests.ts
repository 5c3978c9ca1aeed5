import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { WebhookRequest, WebhookRequests } from '@sluice/store/outbound/webhook-requests';
import { TEXT_MS } from '../queue/limits.ts';
import { type Entry, TEST_KIND } from '../queue/turn.ts';
import type { AskStop, AskTurns } from './ask-turns.ts';
import { entryOfRequest } from './take-requests.ts';

/** A message to send once more. */
export interface AgainEntry {
  readonly changeId: string;
  readonly messageId: string;
  readonly kind: string;
  readonly recordId: string;
}

export interface Requests {
  /**
   * Sends one message once more, before all that waits, even if the receiver is probed or has asked for a pause. It has one
   * attempt. If that succeeds, the same message is dropped where it waits too.
   */
  pushRedelivery(accountId: string, subscriptionId: string, entry: AgainEntry): Promise<PushedRedelivery>;
  /**
   * Sends a test before all other messages, even if the receiver is probed or has asked for a pause. The kind is `webhook.test`. Its
   * text is kept for TEXT_MS. Nothing is pushed if the subscription may not be delivered to.
   */
  pushTest(
    accountId: string,
    subscriptionId: string,
    test: Omit<AgainEntry, 'kind'> & { readonly text: string },
  ): Promise<PushedTest>;
}

export type PushedRedelivery =
  | 'pushed'
  /** It is not published in this run of Redis: publish the account again, then repeat it. */
  | 'absent';

export type PushedTest =
  | { readonly status: 'pushed' }
  /** `ended`: the time of its key or of an ephemeral subscription is over. `unpublished`: publish the account again, then repeat it. */
  | { readonly status: 'stopped'; readonly why: AskStop };

export interface RequestsDeps {
  readonly requests: Pick<WebhookRequests, 'addRequest' | 'removeRequests'>;
  readonly askTurns: AskTurns;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Texts of changes are kept as long. */
const REDELIVERY_MS = 30 * DAY_MS;

const MOST_LISTED = 1_000;

/** Asks dispatchers for tests and redeliveries. Rejects if a store does not respond. */
export function createRequests({
  requests,
  askTurns,
  now,
}: RequestsDeps): Pick<Requests, 'pushRedelivery' | 'pushTest'> {
  /** Returns why it is not sent now. It is removed then, unless it waits for that. */
  async function request(
    { account_id, subscription_id, ...one }: Omit<WebhookRequest, keyof Unattempted>,
    { ofUseMs, waitsFor }: { readonly ofUseMs: number; readonly waitsFor: (why: AskStop) => boolean },
  ): Promise<AskStop | undefined> {
    const [request_id, at] = [randomUUID(), now()];
    const unattempted: Unattempted = {
      ...{ request_id, attempts: 0, not_before: 0, created_at: at, expires_at: at + ofUseMs },
    };
    await requests.addRequest({ ...unattempted, account_id, subscription_id, ...one });
    const why = await askTurns(account_id, subscription_id);
    if (why !== undefined && !waitsFor(why)) await requests.removeRequests([request_id]);
    return why;
  }

  return {
    async pushRedelivery(account_id, subscription_id, entry) {
      const why = await request(
        { account_id, subscription_id, ...partsOf(entry) },
        // A subscription that is paused sends it later.
        { ofUseMs: REDELIVERY_MS, waitsFor: (stop) => stop !== 'unpublished' },
      );
      return why === 'unpublished' ? 'absent' : 'pushed';
    },
    async pushTest(account_id, subscription_id, { text, ...test }) {
      const why = await request(
        { account_id, subscription_id, ...partsOf({ ...test, kind: TEST_KIND }), text },
        { ofUseMs: TEXT_MS, waitsFor: () => false },
      );
      return why === undefined ? { status: 'pushed' } : { status: 'stopped', why };
    },
  };
}

/** The tests of a subscription that wait for their attempt. What waits to be sent once more has an attempt. */
export async function waitingTests(
  { requests, now }: { readonly requests: Pick<WebhookRequests, 'findRequests'>; readonly now: () => number },
  subscriptionId: string,
): Promise<readonly Entry[]> {
  const found = await requests.findRequests([subscriptionId], { now: now(), limit: MOST_LISTED });
  return found.flatMap((one) => (one.text === undefined ? [] : entryOfRequest(one, 0)));
}

type Unattempted = Pick<
  WebhookRequest,
  'request_id' | 'attempts' | 'not_before' | 'created_at' | 'expires_at'
>;

function partsOf({ changeId, messageId, kind, recordId }: AgainEntry) {
  return { change_id: changeId, message_id: messageId, kind, record_id: recordId };
}
