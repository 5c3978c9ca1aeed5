import type { PendingChange } from '@sluice/contract/message/change';
import { outboundText } from '@sluice/contract/message/outbound-text';
import type { EventPending, EventWrite } from '@sluice/store/events/event-document';
import { readPending, withPending } from '@sluice/store/events/event-pending';
import type { PendingPlace } from '@sluice/store/pending/pending';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { expect } from 'chai';
import { pendingIn } from '../leads/support.ts';
import { firstWrite, storedEvent, useStore } from './support.ts';

const REVISION = 1_795_250_000_000;

function texted(sequence: number, rest: Partial<PendingChange> = {}) {
  const change: PendingChange = {
    ...{ sequence, kind: 'event.updated', at: REVISION },
    actor: { type: 'source', id: 'src_1' },
    data: { id: 'evt_1', title: 'Zoë "Z" \u2028', ends_at: null },
    previous: { title: '💧' },
    ...rest,
  };
  return { change, text: outboundText(change, 'acc_1') };
}

describe('store: pending changes of events', () => {
  const used = useStore();
  let events = 0;

  /** Writes a new event with these pending changes. */
  async function written(untold: EventPending | undefined, rest: Partial<EventWrite> = {}) {
    const event = { ...storedEvent({ title: `Pending ${++events}` }), ...(untold && { untold }) };
    const [result] = await used.store.events.writeEvents([
      firstWrite(event, { newRevision: REVISION, ...rest }),
    ]);
    expect(result?.status).to.equal('written');
    return event;
  }
  const loaded = async (id: string) => (await used.store.events.loadPortion([id])).events.get(id);
  const raw = (id: string) => used.mongo.db.collection<{ _id: string }>('events').findOne({ _id: id });
  const recordOf = async (id: string) => {
    const record = (await pendingIn(used.store, 'events')).find((one) => one.id === id);
    if (record === undefined) throw new Error(`${id} has no pending changes`);
    return record;
  };

  it('are read as they were kept, with the same texts', () => {
    const changes = [texted(1), texted(2, { kind: 'event.deleted' })];
    const kept = withPending(withPending(undefined, changes.slice(0, 1)), changes.slice(1));
    expect(kept).to.include({ at: REVISION, sequence: 2 });
    expect(readPending(kept as EventPending)).to.deep.equal(changes);
  });

  it('are loaded with the event, so that the next write keeps them', async () => {
    const untold = withPending(undefined, [texted(REVISION * 1000)]);
    const { event_id } = await written(untold);
    expect((await loaded(event_id))?.untold).to.deep.equal(untold);
    const { event_id: other } = await written(undefined);
    expect(await loaded(other)).to.not.have.property('untold');
  });

  it('are read in pages that fit into memory, however large they are', async () => {
    const large = texted(REVISION * 1000, { data: { id: 'evt_1', description: 'x'.repeat(6 * 2 ** 20) } });
    const ids: string[] = [];
    for (let n = 0; n < 4; n++) ids.push((await written(withPending(undefined, [large]))).event_id);
    const read: PendingRecord[] = [];
    const sizes: number[] = [];
    let after: PendingPlace | undefined;
    do {
      const page = await used.store.untold.pagePending({
        ...{ collection: 'events', before: REVISION, after, limit: 200 },
      });
      const some = page.records.filter(({ id }) => ids.includes(id));
      sizes.push(some.length);
      read.push(...some);
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(read.map(({ id }) => id)).to.have.members(ids);
    expect(Math.max(...sizes)).to.equal(2);
    await used.store.untold.clearPublished(read);
  }).timeout(120_000);

  it('are cleared without a change of revision or time', async () => {
    const { event_id } = await written(withPending(undefined, [texted(REVISION * 1000)]));
    const before = await raw(event_id);
    const told = await recordOf(event_id);
    expect(await used.store.untold.withoutPublished([told])).to.deep.equal([told]);
    expect(await used.store.untold.clearPublished([told])).to.equal(true);
    expect(await used.store.untold.withoutPublished([told])).to.deep.equal([]);
    const { untold: _, untold_at: __, untold_sequence: ___, ...rest } = before as Record<string, unknown>;
    expect(await raw(event_id)).to.deep.equal(rest);
  });

  it('stay if the event was changed meanwhile', async () => {
    const first = texted(REVISION * 1000);
    const untold = withPending(undefined, [first]);
    const event = await written(untold);
    const told = await recordOf(event.event_id);
    const both = withPending(untold, [texted((REVISION + 1) * 1000)]);
    await used.store.events.writeEvents([
      firstWrite(
        { ...event, ...(both && { untold: both }) },
        { expectedRevision: REVISION, newRevision: REVISION + 1 },
      ),
    ]);
    expect(await used.store.untold.clearPublished([told])).to.equal(false);
    expect(await used.store.untold.withoutPublished([told])).to.deep.equal([told]);
    expect((await loaded(event.event_id))?.untold).to.deep.equal(both);
  });

  it('keep a tombstone, which expires once they are published', async () => {
    const expiresAt = REVISION + 1000;
    const deleted = withPending(undefined, [texted(REVISION * 1000, { kind: 'event.deleted' })]);
    const { event_id } = await written(deleted, { expiresAt });
    expect(await raw(event_id)).to.not.have.property('expires_at');
    const record = await recordOf(event_id);
    expect(record.expires_at).to.equal(expiresAt);
    await used.store.untold.clearPublished([record]);
    const cleared = await raw(event_id);
    expect(cleared).to.deep.include({ expires_at: new Date(expiresAt) });
    expect(cleared).to.not.have.property('expires_once_told');
  });

  it('never let an event expire that exists', async () => {
    const deleted = withPending(undefined, [texted(REVISION * 1000, { kind: 'event.deleted' })]);
    const event = await written(deleted, { expiresAt: REVISION + 1000 });
    const told = await recordOf(event.event_id);
    // No subscription wants the creation that follows, so the last pending change is the same.
    await used.store.events.writeEvents([
      firstWrite(event, { expectedRevision: REVISION, newRevision: REVISION + 1 }),
    ]);
    await used.store.untold.clearPublished([told]);
    expect(await raw(event.event_id)).to.not.have.property('expires_at');
  });

  it('are reported if they cannot be read, and hide no others', async () => {
    const broken = await written({ json: '[{"type":', at: REVISION - 1, sequence: 1 });
    const { event_id } = await written(withPending(undefined, [texted(REVISION * 1000)]));
    const query = { collection: 'events', before: Date.now() + 1000, limit: 1000 } as const;
    const page = await used.store.untold.pagePending(query);
    expect(page.unreadable).to.deep.equal([broken.event_id]);
    expect(page.records.map(({ id }) => id)).to.include(event_id);
  });

  it('are paged, each record once, even if all are of one instant', async () => {
    await used.mongo.db.collection('events').deleteMany({});
    const ids = new Set<string>();
    for (let i = 0; i < 7; i++)
      ids.add((await written(withPending(undefined, [texted(REVISION * 1000)]))).event_id);
    const seen: string[] = [];
    let after: Awaited<ReturnType<typeof used.store.untold.pagePending>>['next'] = null;
    do {
      const page = await used.store.untold.pagePending({
        ...{ collection: 'events', before: Date.now(), limit: 3 },
        after: after ?? undefined,
      });
      seen.push(...page.records.map(({ id }) => id));
      after = page.next;
    } while (after !== null);
    expect(seen).to.have.length(7);
    expect(new Set(seen)).to.deep.equal(ids);
  });
});
