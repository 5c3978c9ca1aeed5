import { type Refusal, refuse } from '../../http/result.ts';
import type { PublicCall } from '../declare-route.ts';
import type { WebhookRouteDeps } from './deps.ts';

/** Tests, redeliveries and recoveries send to third parties. A mistake in a loop must harm no receiver. */
const AGAIN_RATE = { count: 10, seconds: 60 };

/** A sentence for the descriptions of these routes. */
export const AGAIN_SENTENCE =
  'Tests, redeliveries and recoveries together: at most 10 a minute for each key.';

/** Counts one of them. The rejection, if the key has made too many. */
export async function limitAgain(
  { apiKey }: Pick<PublicCall, 'apiKey'>,
  { take }: Pick<WebhookRouteDeps, 'take'>,
): Promise<Refusal | undefined> {
  const { allowed, retryAfterSeconds } = await take('webhook-again', apiKey.key_id, AGAIN_RATE);
  if (allowed) return undefined;
  const detail = `This key has asked for too many tests, redeliveries and recoveries. Try again in ${retryAfterSeconds} seconds.`;
  return refuse('rate_limited', detail, { retryAfterSeconds });
}
