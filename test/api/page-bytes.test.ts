import { eventId } from '@sluice/contract/event/event-id';
import type { EventState } from '@sluice/contract/event/event-state';
import { PAGE_BYTES } from '@sluice/store/reading/read-page';
import { expect } from 'chai';
import { useApi } from '../support/use-api.ts';

const RECORDS = 14;
/** Of one event. Each has the longest description before and after it. */
const CHANGES = 90;
/** As long as a URL that 0.1.0 accepted. */
const LONG = 250_000;
/** Bytes besides the items: brackets, the cursor, and fields that a list adds to each record. */
const SLACK = 20_000;

describe('api: pages of large records', () => {
  const api = useApi();
  let sourceId: string;
  before(async () => {
    sourceId = (await api.owner.call('post', '/sources', { name: 'Booking' })).body.source.source_id;
    const { events, deliveries, auditLog } = api.store;
    const ids = { source_id: sourceId, account_id: api.accountId };
    const names = Array.from({ length: RECORDS }, (_, index) => `n${index}`);
    await events.writeEvents(
      names.map((title) => {
        const identity = { title, starts_at: Date.UTC(2030, 0, 1), location: '' };
        const event_id = eventId(sourceId, identity);
        const event = { ...ids, event_id, identity, state: STATE, revision: 0, recent: '' };
        return { event, expectedRevision: 0, newRevision: 1, expiresAt: null };
      }),
    );
    await deliveries.insertDeliveries(
      names.map((name, index) => ({
        ...{ ...ids, delivery_id: `dlv_${name}`, request_id: `req_${name}`, received_at: Date.now() },
        ...{ action: 'upsert', title: name, http_status: 200, outcome: 'failed', code: null },
        ...{ sequence: index + 1, event_id: null, duplicate_of: null, count: 1 },
        reason: 'x'.repeat(LONG),
      })),
    );
    for (const [index, name] of names.entries())
      await auditLog.insertEntry({
        ...{
          audit_id: `aud_${name}`,
          account_id: api.accountId,
          at: Date.now() + index,
          action: 'key.created',
        },
        ...{ actor: { user_id: 'usr_1', email: 'a@example.com' }, address: '127.0.0.1' },
        ...{ target: { id: 'key_1', name }, detail: 'x'.repeat(LONG) },
      });
  });

  const lists: [list: string, path: () => string, idOf: (item: never) => string][] = [
    ['events', () => `/events?source_id=${sourceId}`, ({ title }: { title: string }) => title],
    ['deliveries', () => `/deliveries?source_id=${sourceId}`, ({ title }: { title: string }) => title],
    [
      'audit entries',
      () => '/audit?action=key.created',
      ({ target }: { target: { name: string } }) => target.name,
    ],
  ];
  for (const [list, path, idOf] of lists)
    it(`${list}: a page has a byte limit, and the pages contain each item once`, async () => {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body, text, status } = await api.owner.call(
          'get',
          `${path()}&limit=200${cursor && `&cursor=${cursor}`}`,
        );
        expect(status).to.equal(200);
        expect(text.length).to.be.at.most(PAGE_BYTES + SLACK);
        expect(body.items).not.to.deep.equal([]);
        seen.push(...body.items.map(idOf));
        cursor = body.next_cursor;
      }
      expect(seen).to.have.length(RECORDS);
      expect(new Set(seen).size).to.equal(RECORDS);
    });

  it('changes of an event: the newest that fit are listed', async () => {
    const event = { title: 'n0', starts_at: '2030-01-01T00:00:00Z' };
    const event_id = eventId(sourceId, { ...event, starts_at: Date.UTC(2030, 0, 1), location: '' });
    const account_id = (await api.store.sources.findSource(sourceId))?.account_id ?? '';
    const kept = { content_type: '', user_agent: '', timestamp: '', signature_start: '' };
    await api.store.deliveries.insertDeliveries(
      Array.from({ length: CHANGES }, (_, index) => {
        const description = `${index} `.padEnd(10_000, 'x');
        const body = JSON.stringify({ action: 'upsert', event: { ...event, description } });
        return {
          ...{ source_id: sourceId, account_id, delivery_id: `dlv_c${index}`, request_id: `req_c${index}` },
          ...{ received_at: Date.now() + index, action: 'upsert', title: 'n0', http_status: 200 },
          ...{
            outcome: 'updated',
            code: null,
            sequence: 1000 + index,
            event_id,
            duplicate_of: null,
            count: 1,
          },
          ...{ reason: null, request: { ...kept, bytes: body.length, body } },
        };
      }),
    );
    const { text, body } = await api.owner.call('get', `/events/${event_id}/changes`);
    expect(text.length).to.be.at.most(PAGE_BYTES + SLACK);
    const ids = body.items.map(({ delivery_id }: { delivery_id: string }) => delivery_id);
    expect(ids.length).to.be.within(2, CHANGES - 1);
    expect(ids).to.deep.equal(ids.map((_: string, index: number) => `dlv_c${CHANGES - 1 - index}`));
  });
});

const STATE: EventState = {
  content: { sequence: 1, value: { url: `https://example.com/${'x'.repeat(LONG)}` } },
  status: { sequence: 1, value: 'upcoming' },
  deleted: null,
  created: 1,
};
