import { randomInt } from 'node:crypto';
import type { ChangeKind } from '@sluice/contract/message/event-kinds';
import { TEST_MESSAGE } from '@sluice/contract/message/event-kinds';
import { changeId, messageId as messageIdOf } from '@sluice/contract/message/outbound-ids';
import { outboundText, sampleChange } from '@sluice/contract/message/outbound-text';
import type { MessageAttempt } from '@sluice/store/outbound/webhook-message';
import type { Subscription } from '@sluice/store/subscriptions/subscription-document';
import type { StopReason } from '../queue/turn.ts';
import type { SubscriptionDeps } from './deps.ts';
import { findReached, type Reached } from './find-reached.ts';
import { whenPublished } from './publish-again.ts';

export interface TestRequest extends Reached {
  /** The body is a made-up message of this kind. Default: `webhook.test`. */
  readonly kind?: ChangeKind | undefined;
  /** How long to wait for the attempt. Milliseconds. */
  readonly waitMs?: number;
}

export type SubscriptionTested =
  | {
      readonly status: 'answered';
      readonly subscription: Subscription;
      readonly message_id: string;
      /** The only attempt of the test, with the receiver's response. */
      readonly attempt: MessageAttempt;
    }
  /** No dispatcher has attempted it within the time. It is still sent, for 10 minutes. */
  | { readonly status: 'waiting'; readonly subscription: Subscription; readonly message_id: string }
  | { readonly status: 'not_found' }
  /** Nothing is sent to it, so nothing was tested. */
  | { readonly status: 'stopped'; readonly why: Exclude<StopReason, 'changed' | 'unpublished'> };

/** An attempt takes up to 15 s. */
export const TEST_WAIT_MS = 17_000;
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 500;

/**
 * Sends a test before all other messages of a subscription, through a dispatcher, and waits for its attempt. A receiver that
 * is failing gets it too. Throws if MongoDB or Redis fails.
 */
export async function testSubscription(
  deps: SubscriptionDeps,
  request: TestRequest,
): Promise<SubscriptionTested> {
  const subscription = await findReached(deps, request);
  if (subscription === undefined) return { status: 'not_found' };
  const test = testMessage(subscription, request.kind ?? 'webhook.test', deps.now());
  const { account_id, subscription_id } = subscription;
  const why = await whenPublished(deps, subscription, async () => {
    const pushed = await deps.outbox.pushTest(account_id, subscription_id, test);
    if (pushed.status === 'pushed') return undefined;
    return pushed.why === 'unpublished' ? 'absent' : pushed.why;
  });
  if (why !== undefined) return { status: 'stopped', why };
  const message_id = test.messageId;
  const attempt = await waitForAttempt(deps, subscription, message_id, request.waitMs ?? TEST_WAIT_MS);
  return attempt === undefined
    ? { status: 'waiting', subscription, message_id }
    : { status: 'answered', subscription, message_id, attempt };
}

type TestMessage = Parameters<SubscriptionDeps['outbox']['pushTest']>[2];

/** Each test has its own id and a new sequence, so that no receiver drops it as a duplicate. */
function testMessage(
  { account_id, subscription_id }: Subscription,
  kind: ChangeKind,
  now: number,
): TestMessage {
  const sequence = now * 1000 + randomInt(1000);
  const sample = { ...sampleChange(kind), at: now, sequence };
  const change =
    kind === 'webhook.test' ? { ...sample, data: { id: subscription_id, message: TEST_MESSAGE } } : sample;
  const id = changeId(subscription_id, sequence, kind);
  return {
    ...{ changeId: id, messageId: messageIdOf(id, subscription_id), recordId: subscription_id },
    text: outboundText(change, account_id),
  };
}

/** Its dispatcher logs it, so the log is looked at until it is there. */
async function waitForAttempt(
  { webhookMessages, now, sleep }: SubscriptionDeps,
  { subscription_id }: Subscription,
  messageId: string,
  waitMs: number,
): Promise<MessageAttempt | undefined> {
  const until = now() + waitMs;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LONGEST_LOOK_MS, pauseMs * 1.5)) {
    const found = await webhookMessages.findMessage(subscription_id, messageId);
    if (found?.attempts[0] !== undefined) return found.attempts[0];
    const leftMs = until - now();
    if (leftMs <= 0) return undefined;
    await sleep(Math.min(pauseMs, leftMs));
  }
}
