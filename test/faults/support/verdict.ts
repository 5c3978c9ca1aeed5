import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import type { ActionBody, Try } from '../../support/load.ts';

/** The outcome of a load, judged by what MongoDB contains afterwards. The last four must be 0. */
export interface Verdict {
  readonly requests: number;
  /** Tries by their outcome. */
  readonly accepted: number;
  readonly refused: number;
  readonly unanswered: number;
  /** Requests that took effect: the accepted ones, and those that were stored although the sender got no 200. */
  readonly applied: number;
  /** Answered 200, and missing from the delivery log or failed there. */
  readonly lost: number;
  /** Requests that took effect twice, and deliveries with two rows. */
  readonly doubled: number;
  /** Sent after the response to another request, and admitted before it. */
  readonly outOfOrder: number;
  /** Events that differ from a serial run of the logged actions in the admitted order. */
  readonly wrongEvents: number;
}

/** An admitted request as logged. The log contains the body, so the request is known without its response. */
interface Logged {
  readonly n: number;
  readonly sequence: number;
  readonly body: ActionBody;
}

/** Pure: compares the log and events of one source with everything sent to it. Does not use the fold, on purpose. */
export function judge(
  rows: readonly Delivery[],
  events: readonly ListedEvent[],
  tries: readonly Try[],
): Verdict {
  const logged = rows.filter((row) => row.sequence !== null).map(readRow);
  const accepted = tries.filter(({ answer }) => answer?.status === 200);
  const unanswered = tries.filter(({ answer }) => answer === undefined).length;
  const applied = new Set(rows.filter(({ outcome }) => outcome !== 'failed').map((row) => row.delivery_id));
  return {
    requests: new Set(tries.map(({ n }) => n)).size,
    accepted: accepted.length,
    refused: tries.length - accepted.length - unanswered,
    unanswered,
    applied: new Set(logged.map(({ n }) => n)).size,
    lost: accepted.filter(({ answer }) => !applied.has(answer?.body.delivery_id)).length,
    doubled: repeated(rows.map((row) => row.delivery_id)) + effectsTooMany(logged),
    outOfOrder: overtaken(rows, tries),
    wrongEvents: differences(serially(logged), events),
  };
}

function readRow({ sequence, request }: Delivery): Logged {
  const body = JSON.parse(request?.body ?? '') as ActionBody;
  return { n: Number(body.event.price), sequence: sequence as number, body };
}

function repeated(ids: readonly string[]): number {
  return ids.length - new Set(ids).size;
}

/** A request that was admitted under two sequence numbers had two effects. */
function effectsTooMany(logged: readonly Logged[]): number {
  return (
    new Set(logged.map(({ n, sequence }) => `${n} ${sequence}`)).size - new Set(logged.map(({ n }) => n)).size
  );
}

function serially(logged: readonly Logged[]): Map<string, string> {
  const events = new Map<string, string>();
  for (const { body } of logged.toSorted((a, b) => a.sequence - b.sequence)) {
    const { title, price } = body.event;
    if (body.action === 'upsert') events.set(title, `${price} upcoming`);
    else if (body.action === 'delete') events.delete(title);
    else if (events.has(title)) events.set(title, `${events.get(title)?.split(' ')[0]} cancelled`);
  }
  return events;
}

function differences(expected: ReadonlyMap<string, string>, events: readonly ListedEvent[]): number {
  const actual = new Map(events.map(({ title, price, status }) => [title, `${price} ${status}`]));
  const titles = new Set([...expected.keys(), ...actual.keys()]);
  return (
    [...titles].filter((title) => expected.get(title) !== actual.get(title)).length +
    repeated(events.map(({ title }) => title))
  );
}

/** Covers requests with a single try only: a retried request keeps the number of its first try. */
function overtaken(rows: readonly Delivery[], tries: readonly Try[]): number {
  const sequences = new Map(rows.map((row) => [row.delivery_id, row.sequence ?? 0]));
  const again = new Set(tries.filter((one) => one.again).map(({ n }) => n));
  const once = tries
    .filter(({ n, answer }) => answer?.status === 200 && !again.has(n))
    .map((one) => ({ ...one, sequence: sequences.get(one.answer?.body.delivery_id) ?? 0 }));
  const byEnd = once.toSorted((a, b) => a.endedAt - b.endedAt);
  let ended = 0;
  let highest = 0;
  let count = 0;
  for (const { sentAt, sequence } of once.toSorted((a, b) => a.sentAt - b.sentAt)) {
    for (let next = byEnd[ended]; next !== undefined && next.endedAt < sentAt; next = byEnd[++ended])
      highest = Math.max(highest, next.sequence);
    if (sequence < highest) count += 1;
  }
  return count;
}
