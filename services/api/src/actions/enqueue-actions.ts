import type { Admit, Ticket, Verdict } from '@sluice/admission/admit';
import type { ReplicaWait } from '@sluice/admission/replica-wait';
import type { ShardedDirectory } from '@sluice/admission/sharded-directory';
import type { Action } from '@sluice/contract/action';
import { bodyStorageOf } from '@sluice/contract/body-storage';
import type { KeptRequest } from '@sluice/contract/delivery';
import { admittedDeliveryId, otherDeliveryId } from '@sluice/contract/delivery-id';
import type { ImportFormat } from '@sluice/contract/event-fields';
import type { Plans } from '@sluice/contract/plans';
import { newId } from '@sluice/credentials/ids';
import { loadSourceRecord, type RecordDeps } from '@sluice/management/load-source-record';
import type { Producer } from '@sluice/queue/producer';
import { type Refusal, refuse } from '../http/result.ts';

/** An action that somebody asks for in the dashboard. */
export interface WantedAction {
  readonly action: Action;
  /** It is a row of a file. An import has no rate limit (service.md 8). */
  readonly imported?: ImportedRow;
  /** It takes a row of a file back, which costs no rate either. */
  readonly undone?: Omit<ImportedRow, 'format'>;
  readonly reprocess_of?: string;
  readonly request?: KeptRequest;
}

/** What names a row: asked for again, it keeps its place in the order, and so has one effect. */
export interface ImportedRow {
  readonly import_id: string;
  readonly format: ImportFormat;
  /** 16 hex digits that no other row of the import has. */
  readonly digest: string;
}

/** `delivery_id` names its row in the delivery log, once the worker has applied it. */
export type Enqueued = { readonly outcome: 'enqueued'; readonly delivery_id: string } | Refusal;

/** Admits and enqueues actions of one source, in their order; one result for each. */
export type EnqueueActions = (sourceId: string, wanted: readonly WantedAction[]) => Promise<Enqueued[]>;

export interface EnqueueActionsDeps extends RecordDeps {
  /** The way into the shard of an account. */
  readonly laneOf: (accountId: string) => {
    readonly admit: Admit;
    readonly replicaWait: ReplicaWait;
    readonly producer: Pick<Producer, 'backlog'>;
  };
  /** Groups of actions that may wait in a shard; beyond it nothing is enqueued here, as at the ingress. */
  readonly backlogLimit: number;
  readonly directory: Pick<ShardedDirectory, 'republish'>;
  readonly plans: Plans;
  readonly defaultRate: { readonly perSecond: number; readonly burst: number };
  readonly now: () => number;
}

/** A source may change between the look at it and the admission; more often than this in a row it does not. */
const TRIES = 3;

/** An action of the dashboard has no signature: an id of its own stands in, so that it is taken for no other's repetition. */
const REMEMBER_SECONDS = 60;

/** How long an import can be sent again, in part or as a whole. */
const REMEMBER_IMPORT_SECONDS = 3600;

const BACKLOG_FULL = refuse(
  'unavailable',
  'Too many actions are waiting to be applied. Nothing more is taken until there are fewer: wait a moment, then go on.',
  { retryAfterSeconds: 5 },
);

const CHANGING = refuse('unavailable', 'The source is being changed just now. Try again in a moment.', {
  retryAfterSeconds: 2,
});

/**
 * The same way as a request to the webhook goes, from admission on: active, rate and plan are checked, and each gets a
 * new sequence number, which makes it the latest word on its event. Enqueued in one job, before the answer.
 */
export function createEnqueueActions(deps: EnqueueActionsDeps): EnqueueActions {
  const { laneOf, directory, plans, defaultRate, now } = deps;

  async function admitted(sourceId: string, wanted: readonly WantedAction[], requestIds: readonly string[]) {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const record = await loadSourceRecord(deps, sourceId);
      if (record === undefined) return undefined;
      const rate = {
        perSecond: record.rate_per_second ?? defaultRate.perSecond,
        burst: record.rate_burst ?? defaultRate.burst,
      };
      // What is asked for here has no signature: up to when an old secret counts is nothing to it.
      const { previous_secret: _, ...unsigned } = record;
      const tickets = {
        record: unsigned,
        rate,
        planLimit: plans.get(record.plan) ?? null,
        tickets: wanted.map(ticketOf),
        asked: (index: number) => {
          const { imported, undone, request, ...rest } = wanted[index] as WantedAction;
          const keeps = bodyStorageOf(record);
          return {
            request_id: requestIds[index] as string,
            source_id: sourceId,
            account_id: record.account_id,
            received_at: now(),
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
      const verdicts = await lane.admit({
        sources: [tickets],
        backlogFull: waiting >= deps.backlogLimit,
        groupId: newId('grp'),
        nowMs: now(),
      });
      if (!verdicts.some(({ outcome }) => outcome === 'stale')) return { verdicts, held };
      // Redis may have lost it, or have it from a backup, and no request may have come since that puts it back.
      await directory.republish(record, () => loadSourceRecord(deps, sourceId));
    }
    return undefined;
  }

  return async (sourceId, wanted) => {
    const requestIds = wanted.map(() => newId('req'));
    const result = await admitted(sourceId, wanted, requestIds);
    if (result === undefined) return wanted.map(() => CHANGING);
    const enqueued = result.verdicts.map((verdict, index): Enqueued => {
      switch (verdict.outcome) {
        case 'admitted':
          return { outcome: 'enqueued', delivery_id: admittedDeliveryId(sourceId, verdict.sequence) };
        case 'duplicate':
          return { outcome: 'enqueued', delivery_id: otherDeliveryId(requestIds[index] as string) };
        default:
          return refusalOf(verdict);
      }
    });
    if (enqueued.some(({ outcome }) => outcome === 'enqueued')) await result.held();
    return enqueued;
  };
}

function ticketOf({ action, imported, undone }: WantedAction): Ticket {
  const upsert = action.kind === 'upsert';
  const row = imported ?? undone;
  if (row !== undefined)
    return {
      kind: 'action',
      upsert,
      imported: true,
      timestamp: `${imported === undefined ? 'undo' : 'import'}-${row.import_id}`,
      signature: `sha256=${row.digest}`,
      rememberSeconds: REMEMBER_IMPORT_SECONDS,
    };
  const unique = newId('req');
  return {
    kind: 'action',
    upsert,
    timestamp: 'dashboard',
    // The admission reads the 16 characters after `sha256=`.
    signature: `sha256=${unique.slice(-16)}`,
    rememberSeconds: REMEMBER_SECONDS,
  };
}

function refusalOf(verdict: Verdict): Refusal {
  switch (verdict.outcome) {
    case 'inactive':
      return refuse('source_inactive', 'The source is switched off. Switch it on first.');
    case 'rate_limited':
      return refuse('rate_limited', 'The source is over its rate. Wait a moment and go on then.', {
        retryAfterSeconds: verdict.retryAfterSeconds,
      });
    case 'plan_limit':
      return refuse(
        'plan_limit_reached',
        "The account's plan allows no more upserts this calendar month (UTC).",
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
      throw new Error(`the admission gave an action of the dashboard the verdict ${verdict.outcome}`);
  }
}
