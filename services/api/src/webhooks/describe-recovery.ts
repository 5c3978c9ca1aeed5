import { formatInstant } from '@sluice/contract/instant';
import type { recoverResult } from '@sluice/contract/webhook-again';
import type { MessagesRecovered } from '@sluice/outbound/subscriptions/recover-messages';
import type * as z from 'zod';

type Recovered = Pick<
  Extract<MessagesRecovered, { status: 'queued' }>,
  'messages' | 'more' | 'since' | 'until'
>;

/** A recovery as public API and dashboard return it. */
export function describeRecovery({
  messages,
  more,
  since,
  until,
}: Recovered): z.output<typeof recoverResult> {
  return {
    messages,
    more,
    recovered_since: formatInstant(since),
    recovered_until: formatInstant(until),
  };
}
