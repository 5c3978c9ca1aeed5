import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { startService } from '../support/service-process.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';

const FATAL = 60;

describe('a service whose port is in use', () => {
  let taken: Server;
  let port: number;
  before(async () => {
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = (taken.address() as AddressInfo).port;
  });
  after(() => taken?.close());

  for (const [name, variable] of [
    ['ingress', 'INGRESS_PORT'],
    ['worker', 'WORKER_ADMIN_PORT'],
  ] as const) {
    it(`logs without a stack that ${variable} must be set to a free port, and exits with 1 (${name})`, async () => {
      const service = startService(name, {
        REDIS_URL: sharedRedisUrl(),
        MONGO_URL: 'mongodb://127.0.0.1:1',
        SLUICE_NAMESPACE: uniqueNamespace('taken-port'),
        SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        DRAIN_MS: '0',
        [variable]: String(port),
      });
      try {
        const line = await service.logged('port.refused');
        expect(line).to.include({
          level: FATAL,
          msg: `Port ${port} is already in use. Stop what uses it, or set ${variable} to a free port.`,
        });
        await until(() => service.ended() !== undefined);
        expect(service.ended()).to.equal(1);
        expect(service.log.at(-1)).to.include({ msg: 'stopped', reason: 'port refused', clean: true });
        expect(JSON.stringify(service.log)).to.not.contain('    at ').and.not.contain('nobody caught');
      } finally {
        await service.kill('SIGKILL');
      }
    });
  }
});
