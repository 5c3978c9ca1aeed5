import { type RunningServer, startServer } from '@sluice/embedded-mongodb/server';
import { createEvents, type Events } from '@sluice/store/events';
import { expect } from 'chai';
import mongoose from 'mongoose';
import { firstWrite, storedEvent } from './support.ts';

describe('what an event is folded into', () => {
  let server: RunningServer;
  let connection: mongoose.Connection;
  let events: Events;
  const commands: { readonly name: string; readonly readConcern: unknown }[] = [];

  before(async () => {
    server = await startServer();
    const quiet = { monitorCommands: true, autoCreate: false, autoIndex: false };
    connection = await mongoose.createConnection(server.url, quiet).asPromise();
    connection
      .getClient()
      .on('commandStarted', ({ commandName: name, command: { readConcern } }) =>
        commands.push({ name, readConcern }),
      );
    events = createEvents(connection, { serverKind: async () => 'mongodb' });
  });
  beforeEach(() => {
    commands.length = 0;
  });
  after(async () => {
    await connection.close();
    await server.close();
  });

  it('is read from a majority: what a failover can take back must not count as applied', async () => {
    await events.loadPortion(['evt_1']);
    expect(commands).to.deep.equal([{ name: 'find', readConcern: { level: 'majority' } }]);
  });

  it('is read in one round trip, however many events a run has', async () => {
    const writes = Array.from({ length: 500 }, (_, i) => firstWrite(storedEvent({ title: `Open day ${i}` })));
    await events.writeEvents(writes);
    commands.length = 0;
    const { events: found } = await events.loadPortion(writes.map(({ event }) => event.event_id));
    expect(found.size).to.equal(500);
    expect(commands.map(({ name }) => name)).to.deep.equal(['find']);
  });
});
