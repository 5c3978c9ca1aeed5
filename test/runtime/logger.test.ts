import { once } from 'node:events';
import { startServer } from '@sluice/embedded-mongodb/server';
import { connectStore } from '@sluice/store/connect';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { runScript } from '../support/run-script.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { recordingLogger } from '../support/silent-logger.ts';

describe('the log', () => {
  it('never contains a secret, under any field name', () => {
    const { logger, records } = recordingLogger();
    const names = [
      'authorization',
      'x-service-signature',
      'secret',
      'signing_secret',
      'password',
      'key',
      'full_key',
    ];
    for (const name of names) {
      logger.info({ [name]: 'hunter2' });
      logger.info({ source: { [name]: 'hunter2' } });
      logger.info({ req: { headers: { [name]: 'hunter2' } } });
    }
    expect(records).to.have.length(3 * names.length);
    expect(JSON.stringify(records)).not.to.include('hunter2');
  });

  it('hides a secret without changing what was logged, or hiding its neighbours', () => {
    const { logger, records } = recordingLogger();
    const fields = { key: 'hunter2', source: { secret: 'hunter2', name: 'Website' } };
    const req = { method: 'GET', headers: { authorization: 'hunter2', host: 'example.com' } };
    const err = Object.assign(new Error('too late'), { key: 'hunter2' });
    const before = structuredClone({ fields, req });
    logger.warn({ ...fields, req, err });
    const hidden = '[redacted]';
    expect(records[0]).to.deep.include({ key: hidden, source: { secret: hidden, name: 'Website' } });
    expect(records[0]?.req).to.deep.equal({
      method: 'GET',
      headers: { authorization: hidden, host: 'example.com' },
    });
    expect(records[0]?.err).to.include({ type: 'Error', message: 'too late' });
    expect(JSON.stringify(records)).not.to.include('hunter2');
    expect({ fields, req }).to.deep.equal(before);
  });

  it('contains the message of an error, and not the data that its library attaches', async () => {
    const { logger, records } = recordingLogger();
    const full = await startServer({ port: 0, maxMemoryBytes: 0 });
    const store = connectStore({ url: full.url, namespace: uniqueNamespace() });
    const redis = new Redis(sharedRedisUrl());
    try {
      await store.opened();
      const row = { delivery_id: 'dlv_1', received_at: 0, source_id: 'src_1', request: { body: 'hunter2' } };
      for (const work of [
        () => store.deliveries.insertDeliveries([row as never]),
        () => redis.call('AUTH', uniqueNamespace(), 'hunter2'),
      ])
        await work().catch((err: unknown) => logger.warn({ err }));
    } finally {
      redis.disconnect();
      await store.close();
      await full.close();
    }
    expect(records).to.have.length(2);
    expect(JSON.stringify(records))
      .to.match(/MongoBulkWriteError.*WRONGPASS/)
      .and.not.to.include('hunter2');
  });

  it('names the service and the time in ISO 8601', () => {
    const { logger, records } = recordingLogger();
    logger.info({ delivery_id: 'dlv_1' }, 'accepted');
    expect(records[0]).to.include({ service: 'test', msg: 'accepted', delivery_id: 'dlv_1', level: 30 });
    expect(records[0]?.time).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });

  it('lets the process end when its reader is gone', async () => {
    const script = runScript(
      `
      import { createLogger } from '@sluice/runtime/telemetry/logger';
      const logger = createLogger({ service: 'test', level: 'info' });
      logger.info('up');
      process.once('disconnect', () => {
        logger.info('to nobody');
        logger.fatal('to nobody');
        process.exit(7);
      });
    `,
      { ipc: true },
    );
    await script.line(/up/);
    script.child.stdout?.destroy();
    script.child.disconnect();
    const [code] = await once(script.child, 'exit');
    expect(code).to.equal(7);
  });
});
