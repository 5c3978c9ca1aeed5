import { expect } from 'chai';
import { imageEnvironment } from '../compose/support/dockerfile.ts';
import { PARTS } from '../compose/support/variables-read.ts';
import { useFolder } from '../support/folder.ts';
import { useTestMongo } from '../support/mongo-server.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { sharedRedisUrl, uniqueNamespace } from '../support/shared-redis.ts';
import { type Container, environmentOf, manifest } from './support/manifests.ts';

const IMAGE = imageEnvironment('production');

describe('the Kubernetes manifests', function () {
  this.timeout(240_000);
  const mongo = useTestMongo('kubernetes');
  const running: ServiceProcess[] = [];
  const folder = useFolder('the block');
  after(async () => {
    await Promise.all(running.map((service) => service.kill('SIGKILL')));
  });

  for (const part of PARTS)
    it(`give the ${part} all variables that it needs to answer its probes at their paths`, async () => {
      const [container] = manifest('Deployment', `sluice-${part}`).spec.template.spec
        .containers as readonly Container[];
      if (container === undefined) throw new Error('no container');
      const secrets = {
        REDIS_URL: sharedRedisUrl(),
        MONGO_URL: mongo.url,
        SLUICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      };
      const example = manifest('Secret', 'sluice-secrets').stringData as Record<string, string>;
      expect(Object.keys(secrets)).to.include.members(Object.keys(example));
      const inCluster = { ...IMAGE, ...environmentOf(container, secrets, folder()) };
      expect(container.command).to.deep.equal(['node', `services/${part}/dist/main.js`]);
      const adminPort = container.ports.find(({ name }) => name === 'admin')?.containerPort;
      expect(inCluster[`${part.toUpperCase()}_ADMIN_PORT`]).to.equal(String(adminPort));
      // The machine is shared, so free ports are chosen.
      const ports = Object.fromEntries(
        Object.keys(inCluster)
          .filter((name) => name.endsWith('_PORT'))
          .map((name) => [name, '0']),
      );
      const here = { HOST: '127.0.0.1', SLUICE_NAMESPACE: uniqueNamespace('kubernetes') };
      const service = startService(part, { ...inCluster, ...ports, ...here });
      running.push(service);
      await service.ready();
      for (const { httpGet } of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
        expect(httpGet.port).to.equal('admin');
        expect((await fetch(service.adminUrl() + httpGet.path)).status, httpGet.path).to.equal(200);
      }
    });
});
