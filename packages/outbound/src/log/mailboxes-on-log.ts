import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import type { Mailboxes } from '../queue/mailboxes.ts';
import { createAskTurns } from './ask-turns.ts';
import { createCountWaiting } from './count-waiting.ts';
import { createReadCursorPlaces } from './cursor-places.ts';
import { createDiscardOnLog } from './discard.ts';
import { createRecovering } from './recovering.ts';
import { createRequests } from './requests.ts';
import { createWaitingOnLog } from './waiting.ts';

export interface MailboxesOnLogDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Pick<Store, 'outboundChanges' | 'webhookCursors' | 'webhookMessages' | 'webhookRequests'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** What programs ask of subscriptions that read the log of their account, in place of mailboxes. */
export function createMailboxesOnLog(deps: MailboxesOnLogDeps): Partial<Mailboxes> {
  const { outboundChanges: changes, webhookMessages: messages, webhookRequests: requests } = deps.store;
  const askTurns = createAskTurns(deps);
  const readPlaces = createReadCursorPlaces(deps);
  return {
    ...createWaitingOnLog({ ...deps, readPlaces, changes, messages, requests }),
    ...createRequests({ ...deps, requests, askTurns }),
    ...createRecovering({ ...deps, readPlaces, messages, askTurns }),
    ...createCountWaiting({ ...deps, changes, messages }),
    ...createDiscardOnLog({
      readPlaces,
      ask: askTurns,
      cursors: deps.store.webhookCursors,
      changes,
      messages,
    }),
  };
}
