import { startServer } from '@sluice/embedded-mongodb/server';
import { openConnection } from '@sluice/store/connection/connection';
import { createEvents } from '@sluice/store/events/events';
import { expect } from 'chai';
import { firstWrite, SEQUENCE, storedEvent, upserted } from './support.ts';

describe('a server that refuses to replace many events with one statement', () => {
  it('gets the events one by one, and a single log line names the reason', async () => {
    // The embedded store accepts no pipeline as an update, whatever its server kind is set to.
    const server = await startServer({ port: 0 });
    const { connection, opened, close } = openConnection({ url: server.url, namespace: 'refused' });
    const logged: { fields: object; message: string }[] = [];
    try {
      await opened();
      const logger = { warn: (fields: object, message: string) => void logged.push({ fields, message }) };
      const events = createEvents(connection, { serverKind: async () => 'documentdb', logger });
      const stored = [1, 2, 3].map((n) => storedEvent({ title: `event ${n}` }));
      await events.writeEvents(stored.map((event) => firstWrite(event)));
      const changed = stored.map((event) => ({ ...event, state: upserted(SEQUENCE + 1) }));
      for (const expectedRevision of [1, 2]) {
        const results = await events.writeEvents(
          changed.map((event) => firstWrite(event, { expectedRevision })),
        );
        expect(results).to.deep.equal(stored.map(() => ({ status: 'written' })));
      }
      const ids = stored.map(({ event_id }) => event_id);
      expect(
        [...(await events.loadPortion(ids)).events.values()].map(({ revision }) => revision),
      ).to.deep.equal([3, 3, 3]);
    } finally {
      await close();
      await server.close();
    }
    expect(logged).to.have.length(1);
    expect(logged[0]?.message).to.match(/one statement.*replaced one by one/);
    expect(logged[0]?.fields)
      .to.have.property('reason')
      .that.matches(/^MongoDB \d+: ./);
  });
});
