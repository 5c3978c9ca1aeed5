import { startServer } from '@sluice/embedded-mongodb/server';
import { createEvents } from '@sluice/store/events';
import { expect } from 'chai';
import mongoose from 'mongoose';

describe('what an event is folded into', () => {
  it('is read from a majority: what a failover can take back must not count as applied', async () => {
    const server = await startServer();
    const connection = await mongoose.createConnection(server.url, { monitorCommands: true }).asPromise();
    try {
      const concerns: unknown[] = [];
      connection.getClient().on('commandStarted', ({ commandName, command }) => {
        if (commandName === 'find') concerns.push(command.readConcern);
      });
      const events = createEvents(connection, { serverKind: async () => 'mongodb' });
      await events.loadPortion(['evt_1']);
      expect(concerns).to.deep.equal([{ level: 'majority' }]);
    } finally {
      await connection.close();
      await server.close();
    }
  });
});
