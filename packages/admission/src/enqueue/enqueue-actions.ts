import type { Plans } from '@sluice/contract/account/plans';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery/delivery-id';
import type { ActionRefused } from '@sluice/contract/problem/action-refused';
import type { ProblemCode } from '@sluice/contract/problem/problem';
import { HOUR_SECONDS } from '@sluice/contract/time/durations';
import { newId } from '@sluice/credentials/ids';
import type { Producer } from '@sluice/queue/producer';
import type { Admit } from '../admit.ts';
import { loadSourceRecord, type RecordDeps } from '../load-source-record.ts';
import type { ReplicaWait } from '../replica-wait.ts';
import type { ShardedDirectory } from '../sharded-directory.ts';
import type { Ticket } from '../ticket.ts';
import type { Verdict } from '../verdict.ts';
import type { WantedAction } from './wanted-action.ts';

/** `delivery_id` identifies its row in the delivery log, once the worker has applied the action. */
export type Enqueued =
  | {
      readonly outcome: 'enqueued';
      readonly delivery_id: string;
      readonly sequence: number;
      /** Milliseconds since the Unix epoch. */
      readonly received_at: number;
      /** It was enqueued before, and has no second effect. */
      readonly repeated?: true;
    }
  | ActionRefused;

/** Admits and enqueues actions of one source, in order. Returns one result per action. */
export type EnqueueActions = (sourceId: string, wanted: readonly WantedAction[]) => Promise<Enqueued[]>;

export interface EnqueueActionsDeps extends RecordDeps {
  /** The admission, queue and replica wait of an account's shard. */
  readonly laneOf: (accountId: string) => {
    readonly admit: Admit;
    readonly replicaWait: ReplicaWait;
    readonly producer: Pick<Producer, 'backlog'>;
  };
  /** Maximum number of action groups waiting in a shard. Beyond it nothing is enqueued, as at the ingress. */
  readonly backlogLimit: number;
  readonly directory: Pick<ShardedDirectory, 'republish'>;
  readonly plans: Plans;
  readonly defaultRate: { readonly perSecond: number; readonly burst: number };
  readonly now: () => number;
}

/** A source may change between reading it and the admission. This many changes in a row are very unlikely. */
const TRIES = 3;

/** Dashboard actions have no signature. A unique id replaces it, so that no action counts as a repeat of another. */
const REMEMBER_SECONDS = 60;

/** How long an import can be repeated without effect, in part or as a whole. */
const REMEMBER_IMPORT_SECONDS = HOUR_SECONDS;

/** The timestamp names the delivery, so every ticket has the same signature. */
const ONCE = `sha256=${'0'.repeat(16)}`;

const BACKLOG_FULL: ActionRefused = {
  ...refuse('unavailable', 'Too many actions are waiting to be applied. Wait a moment, then continue.', 5),
  reason: 'backlog_full',
};

const DELETED = refuse(
  'source_inactive',
  'The channel of the conversation was deleted. The conversation can only be read.',
);

const CHANGING: ActionRefused = {
  ...refuse('unavailable', 'The source is being changed. Try again in a moment.', 2),
  reason: 'source_changing',
};

/**
 * Takes the same path as a webhook request, starting at the admission: active, rate and plan are checked. Each action
 * gets a new sequence number, so it overrides earlier actions on its event. All are enqueued in one job before the
 * response.
 */
export function createEnqueueActions(deps: EnqueueActionsDeps): EnqueueActions {
  const { laneOf, directory, plans, defaultRate, now } = deps;

  async function admitted(sourceId: string, wanted: readonly WantedAction[], requestIds: readonly string[]) {
    const receivedAt = now();
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const record = await loadSourceRecord(deps, sourceId);
      if (record === undefined) return CHANGING;
      if (record.is_deleted && record.kind === 'channel') return DELETED;
      const rate = {
        perSecond: record.rate_per_second ?? defaultRate.perSecond,
        burst: record.rate_burst ?? defaultRate.burst,
      };
      // Dashboard actions are unsigned, so the previous secret and its overlap do not matter.
      const { previous_secret: _, ...unsigned } = record;
      const tickets = {
        record: unsigned,
        rate,
        planLimit: plans.get(record.plan) ?? null,
        tickets: wanted.map(ticketOf),
        asked: (index: number) => {
          const {
            imported,
            undone,
            once: _,
            swept: _swept,
            request,
            ...rest
          } = wanted[index] as WantedAction;
          const keeps = record.body_storage;
          return {
            request_id: requestIds[index] as string,
            source_id: sourceId,
            account_id: record.account_id,
            received_at: receivedAt,
            ...rest,
            ...(imported && { import_id: imported.import_id }),
            ...(undone && { undoes: undone.import_id }),
            request: keeps === 'none' ? undefined : request,
            request_for: keeps === 'failures' ? ('failures' as const) : undefined,
            origin: imported?.format ?? ('dashboard' as const),
          };
        },
      };
      const lane = laneOf(record.account_id);
      const { actions: waiting } = await lane.producer.backlog();
      const held = lane.replicaWait();
      const { verdicts } = await lane.admit({
        sources: [tickets],
        backlogFull: waiting >= deps.backlogLimit,
        groupId: newId('grp'),
        nowMs: now(),
      });
      if (!verdicts.some(({ outcome }) => outcome === 'stale')) return { verdicts, held, receivedAt };
      // Redis may have lost the record or restored it from a backup, and no request has republished it since.
      await directory.republish(record, () => loadSourceRecord(deps, sourceId));
    }
    return CHANGING;
  }

  return async (sourceId, wanted) => {
    const requestIds = wanted.map(() => newId('req'));
    const result = await admitted(sourceId, wanted, requestIds);
    if ('outcome' in result) return wanted.map(() => result);
    const enqueuedAs = (delivery_id: string, sequence: number) => ({
      outcome: 'enqueued' as const,
      delivery_id,
      sequence,
      received_at: result.receivedAt,
    });
    const enqueued = result.verdicts.map((verdict, index): Enqueued => {
      switch (verdict.outcome) {
        case 'admitted':
          return enqueuedAs(admittedDeliveryId(sourceId, verdict.sequence), verdict.sequence);
        case 'duplicate':
          return {
            ...enqueuedAs(otherDeliveryId(requestIds[index] as string), verdict.sequence),
            repeated: true,
          };
        default:
          return refusalOf(verdict);
      }
    });
    if (enqueued.some(({ outcome }) => outcome === 'enqueued')) await result.held();
    return enqueued;
  };
}

function ticketOf({ action, imported, undone, swept, reprocess_of, once = false }: WantedAction): Ticket {
  const upsert = action.kind === 'upsert';
  const free = { kind: 'action', upsert, imported: true } as const;
  if (swept !== undefined)
    return {
      ...free,
      timestamp: 'source-deleted',
      signature: `sha256=${swept}`,
      rememberSeconds: REMEMBER_SECONDS,
    };
  const row = imported ?? undone;
  if (row !== undefined)
    return {
      ...free,
      timestamp: `${imported === undefined ? 'undo' : 'import'}-${row.import_id}`,
      signature: `sha256=${row.digest}`,
      rememberSeconds: REMEMBER_IMPORT_SECONDS,
    };
  // The admission script reads the 16 characters after `sha256=`.
  const signature = `sha256=${newId('req').slice(-16)}`;
  if (reprocess_of === undefined)
    return { kind: 'action', upsert, timestamp: 'dashboard', signature, rememberSeconds: REMEMBER_SECONDS };
  return {
    ...free,
    timestamp: once ? `reprocess-${reprocess_of}` : 'dashboard',
    signature: once ? ONCE : signature,
    rememberSeconds: once ? REMEMBER_IMPORT_SECONDS : REMEMBER_SECONDS,
  };
}

function refusalOf(verdict: Verdict): ActionRefused {
  switch (verdict.outcome) {
    case 'inactive':
      return refuse('source_inactive', 'The source is switched off. Switch it on first.');
    case 'rate_limited':
      return refuse(
        'rate_limited',
        'The source is over its rate limit. Wait a moment, then continue.',
        verdict.retryAfterSeconds,
      );
    case 'plan_limit':
      return refuse(
        'plan_limit_reached',
        "The account's plan has no upserts left this calendar month (UTC). Cancel and delete still work.",
      );
    case 'stale':
    case 'changing':
      return CHANGING;
    case 'backlog_full':
      return BACKLOG_FULL;
    case 'admitted':
    case 'duplicate':
    case 'refused':
    case 'refused_unverified':
    case 'too_many_bad_signatures':
      throw new Error(`the admission returned ${verdict.outcome} for a dashboard action`);
  }
}

function refuse(code: ProblemCode, detail: string, retryAfterSeconds?: number): ActionRefused {
  return { outcome: 'refused', code, detail, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}
