import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { containersOf, engine, isHealthy } from './support/containers.ts';
import { inContainers, logsOfFailures } from './support/stack.ts';

const SERVICES = ['ingress', 'worker', 'dispatcher', 'api'];
const PREFIX = 'sluice-test-alone';

describe('health checks in containers', function () {
  this.timeout(240_000);
  inContainers();
  logsOfFailures();

  it('fail in every service while Redis does not answer, and pass again when it does', async () => {
    const [redis = ''] = await containersOf('redis');
    const containers = (await Promise.all(SERVICES.map(containersOf))).map(([first = '']) => first);
    await engine(`pause ${redis}`);
    try {
      for (const container of containers)
        await until(async () => !(await isHealthy(container)), {
          what: `the health check of ${container} fails`,
        });
    } finally {
      await engine(`unpause ${redis}`);
    }
    for (const container of containers)
      await until(() => isHealthy(container), { what: `the health check of ${container} passes` });
  });

  for (const user of ['0', '12345:54321'])
    it(`of the image pass for each service as user ${user}, without docker-compose.yml`, async () => {
      const passes = async (service: string) => {
        const name = `${PREFIX}-${service}`;
        await engine(
          `run --detach --name ${name} ${await optionsLike(service, user)} node services/${service}/dist/main.js`,
        );
        try {
          await until(() => isHealthy(name), { what: `the health check of ${service} passes` });
        } finally {
          await engine(`rm --force ${name}`);
        }
      };
      await Promise.all(SERVICES.map(passes));
      expect(SERVICES).to.have.lengthOf(4);
    });
});

/** The options of `docker run` that give a container the network, the variables and the image of a service. */
async function optionsLike(service: string, user: string): Promise<string> {
  const [container] = await containersOf(service);
  const [inspected] = JSON.parse(await engine(`inspect ${container}`));
  const network = Object.keys(inspected.NetworkSettings.Networks).find((name) => name.endsWith('stores'));
  const variables = (inspected.Config.Env as string[])
    .filter((pair) => /^(REDIS_URL|MONGO_URL|SLUICE_\w+|EVENTS_URL|API_URL|INGRESS_URL)=/.test(pair))
    .map((pair) => `--env '${pair}'`);
  return `--read-only --cap-drop ALL --security-opt no-new-privileges --init --user ${user} --network ${network} ${variables.join(' ')} ${process.env.SLUICE_IMAGE}`;
}
