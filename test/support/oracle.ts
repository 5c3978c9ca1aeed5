import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { ListedEvent } from '@sluice/store/events/listed-event';
import { expect } from 'chai';
import type { ActionBody, Sent } from './load.ts';

interface Expected {
  readonly price: string | null;
  readonly status: string;
}

/**
 * The expected events: every logged action applied in the order of its sequence number. Does not use the fold, on
 * purpose.
 */
export function serially(rows: readonly Delivery[], sent: readonly Sent[]): Map<string, Expected> {
  const bodies = new Map(sent.map(({ answer, body }) => [answer?.body.delivery_id, body]));
  const events = new Map<string, Expected>();
  const admitted = rows.filter((row) => row.sequence !== null && row.outcome !== 'duplicate');
  for (const row of admitted.toSorted((a, b) => (a.sequence as number) - (b.sequence as number))) {
    // A request that was answered with 503 may have been admitted. Then only the log has its body.
    const body = bodies.get(row.delivery_id) ?? bodyOf(row);
    if (body === undefined) continue;
    const { title, price } = body.event;
    const event = events.get(title);
    if (body.action === 'upsert') events.set(title, { price: price ?? null, status: 'upcoming' });
    else if (body.action === 'delete') events.delete(title);
    else if (event !== undefined) events.set(title, { ...event, status: 'cancelled' });
  }
  return events;
}

/** Expects the state of the serial run. Events touched by requests with an unknown outcome may be in either state. */
export function expectSerial(
  stored: readonly ListedEvent[],
  rows: readonly Delivery[],
  sent: readonly Sent[],
): void {
  const unknown = new Set(
    sent.filter(({ answer }) => answer?.status !== 200).map(({ body }) => body.event.title),
  );
  const known = ([title]: [string, Expected]) => !unknown.has(title);
  const actual = new Map(
    stored
      .map(({ title, price, status }) => [title, { price, status: status ?? '' }] as [string, Expected])
      .filter(known),
  );
  const expected = new Map([...serially(rows, sent)].filter(known));
  expect(Object.fromEntries([...actual].sort())).to.deep.equal(Object.fromEntries([...expected].sort()));
}

/** Expects exactly one row for each request that got a 200. Returns the number of these requests. */
export function expectEachLoggedOnce(rows: readonly Delivery[], sent: readonly Sent[]): number {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.delivery_id, (counts.get(row.delivery_id) ?? 0) + 1);
  const accepted = sent.flatMap(({ answer }) =>
    answer?.status === 200 ? [answer.body.delivery_id as string] : [],
  );
  const lost = accepted.filter((id) => counts.get(id) === undefined);
  const doubled = accepted.filter((id) => (counts.get(id) ?? 0) > 1);
  expect({ lost, doubled }).to.deep.equal({ lost: [], doubled: [] });
  return accepted.length;
}

function bodyOf({ request }: Delivery): ActionBody | undefined {
  return request?.body == null ? undefined : JSON.parse(request.body);
}
