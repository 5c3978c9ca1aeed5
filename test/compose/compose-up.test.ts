import { expect } from 'chai';
import { composeUp, type LocalStack } from './support/local-stack.ts';

const ONE_OUTSIDE_TEST = 'stores the event of an accepted upsert';

/**
 * Needs no container engine: the command of each service runs as a local process with the environment of its service.
 * The development store replaces mongod, or the server at MONGO_URL does.
 */
describe('docker compose up', function () {
  this.timeout(240_000);
  let stack: LocalStack;
  before(async () => {
    stack = await composeUp();
  });
  after(() => stack?.close());

  it('starts every service after its dependencies, and waits until its health check passes', async () => {
    const names = stack.services.map(({ name }) => name);
    expect(names).to.deep.equal(
      ['redis', 'mongo', 'ingress', 'worker', 'dispatcher', 'api'].filter((name) => names.includes(name)),
    );
    for (const service of stack.services) expect(await service.healthy(), service.name).to.equal(true);
  });

  it('starts one more worker, as --scale does', async () => {
    expect(await (await stack.add('worker')).healthy()).to.equal(true);
  });

  it('runs the service `test` with its own command and environment', async () => {
    const { end, output } = await stack.run('test', ['--grep', ONE_OUTSIDE_TEST]);
    expect(output, output).to.include('1 passing');
    expect(end).to.equal(0);
  });

  it('stops each service by its stop signal within its grace period, and then its health check fails', async () => {
    for (const service of stack.services.toReversed()) {
      expect(await service.stop(), `${service.name}:\n${service.process.output()}`).to.equal(0);
      expect(await service.healthy(), service.name).to.equal(false);
    }
  });
});
