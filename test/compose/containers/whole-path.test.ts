import { expect } from 'chai';
import { compose, containersOf, isHealthy } from './support/containers.ts';

const SERVICES = ['redis', 'mongo', 'ingress', 'worker', 'dispatcher', 'api'];
const UP_WITHIN_MS = 300_000;

describe('docker-compose.yml in containers', function () {
  this.timeout(UP_WITHIN_MS);
  before(() => compose('up --detach --wait --scale worker=4', UP_WITHIN_MS));
  after(() => compose('--profile test down --volumes --remove-orphans --timeout 30'));

  it('starts every service, with four workers, and every health check passes', async () => {
    for (const service of SERVICES) {
      const containers = await containersOf(service);
      expect(containers, service).to.have.lengthOf(service === 'worker' ? 4 : 1);
      for (const container of containers) expect(await isHealthy(container), container).to.equal(true);
    }
  });

  it('passes the tests of its service `test`, from inside of its network', async () => {
    const output = await compose('--profile test run --rm --no-deps test');
    expect(output)
      .to.match(/\d+ passing/)
      .and.not.include('failing');
  });
});
