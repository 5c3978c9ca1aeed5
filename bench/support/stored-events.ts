import type { EventContent, EventIdentity } from '@sluice/contract/event-fields';
import { eventId } from '@sluice/contract/event-id';
import { connectStore } from '@sluice/store/connect';
import type { EventWrite } from '@sluice/store/events/event-document';
import { ACCOUNT, SERVICE_ENV } from './sources.ts';
import { upsertBody } from './upsert-body.ts';

/** The event with this number. */
export function storedIdentity(event: number): EventIdentity {
  return {
    title: `Open day ${event}`,
    starts_at: Date.UTC(2027, 2, 1, 17) + (event % 365) * 86_400_000,
    location: 'Main Street 12, Ghent',
  };
}

/** Content as large as that of the other figures' events. `version` makes it different. */
export function storedContent(version: number): EventContent {
  return {
    ends_at: Date.UTC(2028, 2, 1, 19),
    url: 'https://example.com/open-day',
    price: String(version),
    recurring: 'weekly',
    description: 'x'.repeat(120),
  };
}

/** The body of a request that changes the content of the event. */
export function storedBody(event: number, version: number): string {
  const { starts_at, ...identity } = storedIdentity(event);
  const { ends_at, url, recurring } = storedContent(version);
  const instants = { starts_at: iso(starts_at), ends_at: iso(ends_at as number) };
  return upsertBody({ ...identity, ...instants, url, recurring, price: String(version) });
}

const iso = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;

const BATCH = 2_000;

/** Stores events with the numbers 0 to `count - 1`, like a worker but in larger bulks. */
export async function storeEvents(mongoUrl: string, sourceId: string, count: number): Promise<void> {
  const store = connectStore({ url: mongoUrl, namespace: SERVICE_ENV.SLUICE_NAMESPACE });
  try {
    await store.opened();
    await store.ensureIndexes();
    for (let from = 0; from < count; from += BATCH) {
      const writes = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
        newEvent(sourceId, from + i),
      );
      const results = await store.events.writeEvents(writes);
      if (results.some(({ status }) => status !== 'written')) throw new Error('an event could not be stored');
    }
  } finally {
    await store.close();
  }
}

function newEvent(source_id: string, event: number): EventWrite {
  const identity = storedIdentity(event);
  const sequence = event + 1;
  return {
    expectedRevision: 0,
    newRevision: 1,
    expiresAt: null,
    event: {
      event_id: eventId(source_id, identity),
      source_id,
      account_id: ACCOUNT,
      identity,
      state: {
        content: { sequence, value: storedContent(event) },
        status: { sequence, value: 'upcoming' },
        deleted: null,
        created: sequence,
      },
      revision: 1,
      recent: `${sequence}:created`,
    },
  };
}
