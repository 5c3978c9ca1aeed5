import { createHoldSource } from '@sluice/admission/hold-source';
import { DAY_MS } from '@sluice/contract/time/durations';
import { type Consumer, createConsumer } from '@sluice/queue/consumer';
import { createSharedTurns, heldOfEach, type SharedTurns } from '@sluice/queue/shared-turns';
import type { Logger } from '@sluice/runtime/telemetry/logger';
import type { Tracing } from '@sluice/runtime/telemetry/tracing/tracing';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import { createApplyChannels } from './apply/apply-channels.ts';
import { createApplyGroup } from './apply/apply-group.ts';
import { createWantedAccounts } from './apply/wanted-accounts.ts';
import type { EventPublishing } from './apply/write-events.ts';
import type { WorkerConfig } from './config.ts';
import type { Observer } from './observe.ts';
import { createProcessActions, HELD_ACTIONS } from './process-actions.ts';
import { createProcessRefusals } from './process-refusals.ts';
import type { ActivityPublisher } from './publish-activity.ts';
import { createPublishResults } from './publish-results.ts';
import type { WatchRefusals } from './refusing/watch-refusals.ts';
import type { Resources } from './resources.ts';
import { actionsIn, unpackJobs } from './take/unpack-jobs.ts';
import { traceJobs } from './trace/trace-jobs.ts';
import { traceStore } from './trace/trace-store.ts';
import { createHoldSources } from './wait/hold-sources.ts';
import { patient, type WaitOut } from './wait/wait-out.ts';

export interface ConsumeDeps {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly observer: Observer;
  readonly waitOut: WaitOut;
  readonly publisher: Pick<ActivityPublisher, 'listening'>;
  readonly watchRefusals: Pick<WatchRefusals, 'logged'>;
  /** Undefined: no traces are recorded. */
  readonly tracing?: Tracing | undefined;
}

/** The running consumers. */
export interface Consuming {
  readonly consumers: readonly Consumer[];
  /** Gives back the jobs that wait for their turn. */
  stopWaiting(): void;
}

/** Writing rows is one round trip a group. Two at a time leave the CPU to the actions. */
const REFUSALS_CONCURRENCY = 2;

/** Starts to process groups from both queues of every shard. All shards share the configured concurrency. */
export function consume({
  config,
  logger,
  resources,
  observer,
  waitOut,
  publisher,
  watchRefusals,
  tracing,
}: ConsumeDeps): Consuming {
  const { deadLetters, shards, connect } = resources;
  const store = traceStore(resources.store, tracing);
  const now = Date.now;
  const log = publisher.listening(
    patient(waitOut, store.deliveries, ['insertDeliveries', 'replaceDelivery']),
  );
  const backoff = createRaceBackoff();
  const retentionMs = config.DELIVERY_RETENTION_DAYS * DAY_MS;
  const applyGroup = createApplyGroup({
    events: patient(waitOut, store.events, ['loadPortion', 'writeEvents']),
    backoff,
    onLongRace: observer.longRace,
    now,
    tombstoneMs: config.TOMBSTONE_DAYS * DAY_MS,
    publishing: eventPublishing(resources, waitOut),
  });
  const processActions = createProcessActions({
    applyGroup,
    applyChannels: createApplyChannels(
      {
        ...patientConversations(resources.store, waitOut),
        tell({ conversation_id: id, account_id, untold: changes }) {
          resources.publisher.publishSoon({ collection: 'conversations', id, account_id, changes });
        },
        linkSoon: resources.linker.linkSoon,
        backoff,
        now,
      },
      observer.bug,
    ),
    deadLetters,
    log,
    retentionMs,
    observer,
    publishResults: createPublishResults({
      redis: resources.redis,
      keyspace: shards.first,
      onError: (error) =>
        logger.warn({ event: 'results.failed', err: error }, 'results not told to waiting senders'),
    }),
    holdSources: createHoldSources({
      hold: createHoldSource(resources),
      now,
      onError: (error) =>
        logger.warn({ event: 'source.not_held', err: error }, 'a source whose actions wait is not held'),
    }),
    now,
    traceId: tracing && (() => tracing.current()?.traceId),
  });
  const processRefusals = createProcessRefusals({
    deadLetters,
    log,
    retentionMs,
    observer,
    now,
    onLogged: watchRefusals.logged,
  });
  const shares = {
    actions: {
      handle: unpackJobs(traceJobs(processActions, tracing)),
      concurrency: config.WORKER_CONCURRENCY,
      weighing: { weightOf: actionsIn, held: heldOfEach(HELD_ACTIONS, shards.all.length) },
    },
    refusals: { handle: processRefusals, concurrency: REFUSALS_CONCURRENCY, weighing: undefined },
  };
  const turns: SharedTurns[] = [];
  const consumers = (['actions', 'refusals'] as const).flatMap((queue) => {
    const { handle, concurrency: limit, weighing } = shares[queue];
    const shared = createSharedTurns(limit);
    const concurrency = heldOfEach(limit, shards.all.length);
    turns.push(shared);
    const settings = { queue, concurrency, weighing, connect, logger, handle: shared.wrap(handle) };
    return shards.all.map(({ prefix }) => createConsumer({ ...settings, prefix }));
  });
  return {
    consumers,
    stopWaiting() {
      for (const shared of turns) shared.stop();
    },
  };
}

function patientConversations(store: Resources['store'], waitOut: WaitOut) {
  return {
    auditLog: patient(waitOut, store.auditLog, ['insertEntries']),
    conversations: patient(waitOut, store.conversations, ['loadConversations', 'writeConversation']),
    conversationMessages: patient(waitOut, store.conversationMessages, ['loadMessages', 'writeMessages']),
  };
}

/** Keeps the changes of events for accounts with a subscription to them. */
function eventPublishing({ publishing, publisher, store }: Resources, waitOut: WaitOut): EventPublishing {
  return {
    wantedAccounts: createWantedAccounts({ read: publishing.wantsEvents, now: () => performance.now() }),
    tell: (record) => publisher.publishSoon(record),
    keepPending: (late) => waitOut.run(() => store.events.keepPending(late)),
  };
}
