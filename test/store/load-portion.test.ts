import { startServer } from '@sluice/embedded-mongodb/server';
import type { StoredEvent } from '@sluice/store/events/event-document';
import { createEvents, type Events } from '@sluice/store/events/events';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { startMongoProxy } from '../support/mongo-proxy.ts';
import { use } from '../support/use.ts';
import { firstWrite, storedEvent } from './support.ts';

describe('store: loading events for a worker', () => {
  const server = use(startServer);
  let connection: mongoose.Connection;
  let events: Events;
  const commands: { readonly name: string; readonly readConcern: unknown }[] = [];
  const killed: { readonly cursorsKilled: number; readonly cursorsNotFound: number }[] = [];

  before(async () => {
    const quiet = { monitorCommands: true, autoCreate: false, autoIndex: false };
    connection = await mongoose.createConnection(server.url, quiet).asPromise();
    connection
      .getClient()
      .on('commandStarted', ({ commandName: name, command: { readConcern } }) =>
        commands.push({ name, readConcern }),
      )
      .on('commandSucceeded', ({ commandName, reply }) => {
        if (commandName !== 'killCursors') return;
        const { cursorsKilled, cursorsNotFound } = reply as Record<
          'cursorsKilled' | 'cursorsNotFound',
          readonly unknown[]
        >;
        killed.push({ cursorsKilled: cursorsKilled.length, cursorsNotFound: cursorsNotFound.length });
      });
    events = createEvents(connection);
  });
  beforeEach(() => {
    commands.length = 0;
  });
  after(async () => {
    await connection.close();
  });

  it('reads with majority, because a failover can roll back other writes', async () => {
    await events.loadPortion(['evt_1']);
    expect(commands).to.deep.equal([{ name: 'find', readConcern: { level: 'majority' } }]);
  });

  it('reads the events of a run in one round trip', async () => {
    const writes = Array.from({ length: 500 }, (_, i) => firstWrite(storedEvent({ title: `Open day ${i}` })));
    await events.writeEvents(writes);
    commands.length = 0;
    const { events: found } = await events.loadPortion(writes.map(({ event }) => event.event_id));
    expect(found.size).to.equal(500);
    expect(commands.map(({ name }) => name)).to.deep.equal(['find']);
  });

  it('reads large events in portions, and leaves no cursor open', async () => {
    const writes = Array.from({ length: 20 }, (_, i) => firstWrite(largeEvent(`Large ${i}`)));
    await events.writeEvents(writes);
    const ids = writes.map(({ event }) => event.event_id);
    commands.length = 0;
    const first = await events.loadPortion([...ids, 'evt_none']);
    expect(first.events.size).to.be.within(10, 16);
    expect(first.unread).to.have.members(
      ['evt_none', ...ids].filter((id) => !first.events.has(id)),
      'ids that were not read',
    );
    expect(commands.map(({ name }) => name)).to.deep.equal(['find', 'killCursors']);
    expect(killed).to.deep.equal([{ cursorsKilled: 1, cursorsNotFound: 0 }]);
    const rest = await events.loadPortion(first.unread);
    expect(rest.unread).to.deep.equal([]);
    expect([...first.events.keys(), ...rest.events.keys()]).to.have.members(ids);
  });

  it('retries once after a broken connection, as after a failover', async () => {
    const event = storedEvent({ title: 'Read twice' });
    await events.writeEvents([firstWrite(event)]);
    const proxy = await startMongoProxy(server.url);
    const settings = { autoCreate: false, autoIndex: false };
    const through = await mongoose.createConnection(proxy.url, settings).asPromise();
    try {
      const behind = createEvents(through);
      const held = proxy.holdAt(/find\0.{4}events\0/s);
      const loading = behind.loadPortion([event.event_id]);
      await held;
      proxy.shut();
      proxy.open();
      proxy.letGo();
      expect([...(await loading).events.keys()]).to.deep.equal([event.event_id]);
    } finally {
      await through.close();
      await proxy.close();
    }
  });
});

/** An event of one MiB. */
function largeEvent(title: string): StoredEvent {
  const { state, ...rest } = storedEvent({ title });
  const { content } = state;
  if (content === null) throw new Error('an event that was upserted has content');
  const value = { ...content.value, description: 'x'.repeat(1024 * 1024) };
  return { ...rest, state: { ...state, content: { ...content, value } } };
}
