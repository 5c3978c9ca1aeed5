import { whyReplySecretUnopened, whySubscriptionSecretUnopened } from '@sluice/credentials/why-unopened';
import { createLineBudget } from '@sluice/runtime/telemetry/line-budget';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { OnSealed } from './secrets.ts';

/** After a lost key no secret can be opened. */
const LINES_PER_SECOND = 10;

/** Logs secrets that no key opens, with the remedy. `unlogged` is the number of omitted lines. */
export function createSealedLog(logger: Pick<Logger, 'error'>): OnSealed {
  const lines = createLineBudget({ perSecond: LINES_PER_SECOND });
  return ({ account_id, subscription_id, kind }, unopened) => {
    const taken = lines.take();
    if (taken === undefined) return;
    const { status } = unopened;
    const why = kind === 'reply' ? whyReplySecretUnopened(unopened) : whySubscriptionSecretUnopened(unopened);
    logger.error({ event: 'subscription.sealed', account_id, subscription_id, status, ...taken }, why);
  };
}
