import { reprocessAll } from '@sluice/accounts/deliveries/reprocess';
import type { EnqueueActions } from '@sluice/admission/enqueue/enqueue-actions';
import type { WantedAction } from '@sluice/admission/enqueue/wanted-action';
import type { Delivery, Outcome } from '@sluice/contract/delivery/delivery';
import { eventIdOf } from '@sluice/contract/event/event-id';
import { DAY_MS } from '@sluice/contract/time/durations';
import type { Mapper } from '@sluice/signature/mapping/mapper';
import type { DeliverySearch } from '@sluice/store/deliveries/delivery-search';
import type { Source } from '@sluice/store/sources/source';
import type { Audited } from '../audit.ts';
import { sourceTarget } from '../audit-targets.ts';
import { tryAgainLater } from '../exit-codes.ts';
import type { Row } from '../output.ts';
import { mapBodyOf, mappedRow } from './mapped-row.ts';

const DAYS = 30;
/** One job of the queue. */
const PAGE = 200;
/** The deliveries of an event that are looked at. */
const HISTORY = 100;
const CHANGED: ReadonlySet<Outcome> = new Set(['created', 'updated', 'cancelled', 'deleted']);

export interface ApplyAgainDeps {
  readonly deliverySearch: Pick<DeliverySearch, 'oldestDeliveries' | 'reprocessedAmong' | 'historyOfEvent'>;
  /** Undefined: nothing is applied. */
  readonly enqueue: EnqueueActions | undefined;
  readonly audited: Audited;
  readonly now: () => number;
}

export interface AppliedAgain {
  /** What the mapping makes of each request. `overtaken`: its event has changed since. */
  readonly rows: readonly Row[];
  readonly counts: Readonly<Record<string, number>>;
}

interface Order {
  readonly source: Source;
  readonly mapper: Mapper;
}

/** Applies the mapping of a source to the requests that it has ignored or failed to read, oldest first. */
export async function applyAgain(deps: ApplyAgainDeps, order: Order): Promise<AppliedAgain> {
  const { enqueue, audited } = deps;
  if (enqueue === undefined) return applyPages(deps, order);
  const target = sourceTarget(order.source);
  const deed = (detail: string) => ({ action: 'deliveries.reprocessed', target, detail }) as const;
  return audited(order.source.account_id, {
    intent: deed('some, by the mapping'),
    work: () => applyPages(deps, order),
    deed: ({ counts }) => deed(`${counts.applied}, by the mapping`),
  });
}

async function applyPages(deps: ApplyAgainDeps, order: Order): Promise<AppliedAgain> {
  const { deliverySearch, enqueue, now } = deps;
  const { source_id } = order.source;
  const filter = { source_id, unapplied: true, with_body: true, from: now() - DAYS * DAY_MS } as const;
  const [rows, own] = [[] as Row[], new Set<string>()];
  for (let after: Delivery | undefined; ; ) {
    const page = await deliverySearch.oldestDeliveries(filter, PAGE, after);
    const done = await deliverySearch.reprocessedAmong(page.map(({ delivery_id }) => delivery_id));
    const left = page.filter(({ delivery_id }) => !done.has(delivery_id));
    const seen = await Promise.all(left.map((row) => lookAt(deps, order, row, own)));
    rows.push(...seen.map(({ shown }) => shown));
    const all = seen.flatMap(({ wanted }) => wanted ?? []);
    if (enqueue !== undefined) await enqueueAll(enqueue, source_id, { all, own });
    after = page.at(-1);
    if (page.length < PAGE) break;
  }
  return { rows, counts: countsOf(rows, enqueue === undefined ? 'applicable' : 'applied') };
}

interface Seen {
  readonly shown: Row;
  /** Absent: it is not applied. */
  readonly wanted?: WantedAction;
}

/** `own`: the deliveries that this command has made, which overtake nothing. */
async function lookAt(
  { deliverySearch }: ApplyAgainDeps,
  { mapper }: Order,
  row: Delivery,
  own: ReadonlySet<string>,
): Promise<Seen> {
  const { request, delivery_id: reprocess_of } = row;
  const body = mapBodyOf(mapper, row);
  const shown = mappedRow(row, body);
  const { result, mapped } = body;
  if (result.outcome !== 'action') return { shown };
  const { action } = result;
  const id = eventIdOf(row.source_id, action);
  const history = await deliverySearch.historyOfEvent(id, HISTORY);
  const later = history.find(
    ({ delivery_id, received_at, outcome }) =>
      received_at > row.received_at && CHANGED.has(outcome) && !own.has(delivery_id),
  );
  if (later === undefined)
    return { shown, wanted: { action, mapped, reprocess_of, ...(request !== undefined && { request }) } };
  const detail = `${later.delivery_id} has changed its event since.`;
  return { shown: { ...shown, outcome: 'overtaken', detail } };
}

/** A repeated command applies nothing twice within an hour, and later leaves out what is in the log. */
async function enqueueAll(
  enqueue: EnqueueActions,
  sourceId: string,
  { all, own }: { readonly all: readonly WantedAction[]; readonly own: Set<string> },
): Promise<void> {
  const { deliveryIds, reasons, retryAfterSeconds } = await reprocessAll(enqueue, sourceId, {
    all,
    once: true,
  });
  for (const id of deliveryIds) own.add(id);
  if (retryAfterSeconds !== null)
    throw tryAgainLater('Too many actions wait to be applied. Run the command again later: it continues.');
  const [why] = reasons.keys();
  if (why !== undefined)
    throw tryAgainLater(`Not all were accepted: ${why} Run the command again: it continues.`);
}

function countsOf(rows: readonly Row[], able: 'applicable' | 'applied'): Record<string, number> {
  const counted = (outcome: string) => rows.filter((row) => row.outcome === outcome).length;
  return {
    [able]: counted('action'),
    still_ignored: counted('ignored'),
    still_failed: counted('failed'),
    overtaken: counted('overtaken'),
  };
}
