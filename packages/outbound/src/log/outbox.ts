import type { Shards } from '@sluice/redis/shards/shards';
import type { Store } from '@sluice/store/connect';
import type { Redis } from 'ioredis';
import { createAskTurns } from './ask-turns.ts';
import { createReadCursorPlaces } from './cursor-places.ts';
import { createDiscard, type Discard } from './discard.ts';
import { createRecovering, type Recovering } from './recovering.ts';
import { createRequests, type Requests } from './requests.ts';
import { createWaitingOnLog, type Waiting } from './waiting.ts';

export interface OutboxDeps {
  readonly redis: Redis;
  readonly shards: Shards;
  readonly store: Pick<Store, 'outboundChanges' | 'webhookCursors' | 'webhookMessages' | 'webhookRequests'>;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** The messages of subscriptions, as programs see and change them. */
export interface Outbox extends Waiting, Requests, Recovering {
  readonly discard: Discard;
}

export function createOutbox(deps: OutboxDeps): Outbox {
  const { outboundChanges: changes, webhookMessages: messages, webhookRequests: requests } = deps.store;
  const askTurns = createAskTurns(deps);
  const readPlaces = createReadCursorPlaces(deps);
  return {
    ...createWaitingOnLog({ ...deps, readPlaces, changes, messages, requests }),
    ...createRequests({ ...deps, requests, askTurns }),
    ...createRecovering({ ...deps, readPlaces, messages, askTurns }),
    discard: createDiscard({
      readPlaces,
      ask: askTurns,
      cursors: deps.store.webhookCursors,
      changes,
      messages,
    }),
  };
}
