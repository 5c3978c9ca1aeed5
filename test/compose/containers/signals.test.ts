import { expect } from 'chai';
import { until } from '../../support/until.ts';
import {
  accepted,
  type ContainerSource,
  createContainerSource,
  type Taken,
} from './support/container-source.ts';
import { compose, containersOf, engine, exitCodeOf, isHealthy, tell } from './support/containers.ts';
import { inContainers, logsOfFailures, WORKERS } from './support/stack.ts';

const healthy = (container: string) =>
  until(() => isHealthy(container), { what: `the health check of ${container} passes` });

describe('containers that end', function () {
  this.timeout(300_000);
  inContainers();
  logsOfFailures();
  let source: ContainerSource;
  before(async () => {
    source = await createContainerSource();
  });

  it('applies the batch of a killed worker with another worker', async () => {
    const [victim = '', ...others] = await containersOf('worker');
    const [mongo = ''] = await containersOf('mongo');
    await Promise.all(others.map((other) => engine(`stop -t 15 ${other}`)));
    await engine(`pause ${mongo}`);
    const ids = await accepted(source, 100).finally(async () => {
      // The worker has the batch, and cannot write it.
      await until(async () => (await activeGroups()) > 0, { what: 'the worker has a group' });
      await engine(`kill --signal KILL ${victim}`);
      await engine(`unpause ${mongo}`);
    });
    await engine(`start ${others[0]}`);
    await source.applied(ids);
    await Promise.all([victim, ...others].map((other) => engine(`start ${other}`)));
    for (const other of [victim, ...others]) await healthy(other);
  });

  it('loses nothing when Redis is killed and starts again on its volume', async () => {
    const workers = await containersOf('worker');
    const [redis = ''] = await containersOf('redis');
    await Promise.all(workers.map((worker) => engine(`stop -t 15 ${worker}`)));
    const ids = await accepted(source, 200);
    await engine(`kill --signal KILL ${redis}`);
    await engine(`start ${redis}`);
    await healthy(redis);
    await Promise.all(workers.map((worker) => engine(`start ${worker}`)));
    await source.applied(ids);
    ids.push((await source.upsertUntilTaken()).deliveryId);
    await source.applied(ids);
  });

  it('replaces the ingress behind its published port: what is sent meanwhile is accepted in the end', async () => {
    const [old = ''] = await containersOf('ingress');
    const idOf = async (name: string) => (await engine(`inspect --format '{{.Id}}' ${name}`)).trim();
    const before = await idOf(old);
    const replaced = compose('up --detach --wait --no-deps --force-recreate ingress');
    let over = false;
    replaced.finally(() => (over = true)).catch(() => undefined);
    const sent: Taken[] = [];
    while (!over) sent.push(await source.upsertUntilTaken());
    await replaced;
    expect(await idOf((await containersOf('ingress'))[0] ?? '')).to.not.equal(before);
    sent.push(await source.upsertUntilTaken());
    const repeated = sent.filter(({ duplicate }) => duplicate).length;
    tell(
      `${sent.length} requests; failed first: ${describeFailures(sent)}; accepted before without a response: ${repeated}`,
    );
    await source.applied(sent.map(({ deliveryId }) => deliveryId));
  });

  // A container that is killed after its grace period has the exit code 137.
  it('stops each service by its stop signal within its grace period, with exit code 0', async () => {
    for (const names of [
      ['api', 'ingress', 'dispatcher', 'worker'],
      ['mongo', 'redis'],
    ]) {
      await compose(`stop ${names.join(' ')}`);
      for (const name of names) {
        const containers = await containersOf(name);
        expect(containers).to.have.lengthOf(name === 'worker' ? WORKERS : 1);
        for (const container of containers) expect(await exitCodeOf(container), container).to.equal(0);
      }
    }
    await compose(`up --detach --wait --scale worker=${WORKERS}`);
  });
});

/** The failed attempts by their kind, such as `3 ECONNREFUSED`. */
function describeFailures(sent: readonly Taken[]): string {
  const counts = new Map<string, number>();
  for (const failure of sent.flatMap(({ failures }) => failures))
    counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return [...counts].map(([failure, count]) => `${count} ${failure}`).join(', ') || 'none';
}

/** The groups that a worker has taken and not finished: BullMQ's lists `active`. */
async function activeGroups(): Promise<number> {
  const [redis = ''] = await containersOf('redis');
  const cli = (args: string) => engine(`exec ${redis} redis-cli --raw ${args}`);
  const keys = (await cli("--scan --pattern '*:active'")).split('\n').filter(Boolean);
  const lengths = await Promise.all(keys.map((key) => cli(`LLEN '${key}'`)));
  return lengths.reduce((sum, length) => sum + Number(length), 0);
}
