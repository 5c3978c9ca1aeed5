import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '../../docs/support.ts';
import { until } from '../../support/until.ts';
import { rows } from './support/container-source.ts';
import { containersOf, engine, tell } from './support/containers.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { inContainers, logsOfFailures } from './support/stack.ts';
import { steadyLoad } from './support/steady-load.ts';

const PER_SECOND = 2_000;
const SECONDS = Number(process.env.SLUICE_LOAD_SECONDS ?? 10);
const SERVICES = ['ingress', 'worker', 'dispatcher', 'api'];

describe(`the memory limits of the Kubernetes manifests under ${PER_SECOND} requests a second`, function () {
  this.timeout(400_000);
  inContainers();
  logsOfFailures();
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver?.close());

  it('are those of docker-compose.yml', async () => {
    for (const service of SERVICES) {
      const [container] = await containersOf(service);
      const limit = Number(await engine(`inspect --format '{{.HostConfig.Memory}}' ${container}`));
      expect(limit, service).to.equal(limitInManifest(service));
    }
  });

  it('are enough: every request is accepted, applied and told, and no container is killed', async () => {
    // First, because it creates the account.
    const [{ signing_secret: secret, endpoint_url, source_id }] = await rows(
      `source create --name Load --rate-per-second ${PER_SECOND * 4} --rate-burst ${PER_SECOND * 4}`,
    );
    await rows(`webhook create --url ${receiver.url} --events event.created`);
    const { pathname: path } = new URL(endpoint_url);
    const { seconds, answered, p99Ms } = await steadyLoad({
      path,
      secret,
      rate: PER_SECOND,
      seconds: SECONDS,
    });
    tell(`${Math.round(answered / seconds)} requests/s for ${SECONDS} s, p99 ${Math.round(p99Ms)} ms`);
    const total = PER_SECOND * SECONDS;
    await until(async () => (await receiver.received()) >= total, {
      withinMs: 240_000,
      what: `${total} messages`,
    });
    expect((await rows(`deliveries list --source ${source_id}`)).length).to.equal(total);
    for (const service of [...SERVICES, 'redis', 'mongo'])
      for (const container of await containersOf(service)) {
        const state = await engine(`inspect --format '{{.State.OOMKilled}} {{.RestartCount}}' ${container}`);
        expect(state.trim(), container).to.equal('false 0');
        tell(`${container}: at most ${await peakMegabytes(container)} MB, limit ${limitOf(service)}`);
      }
  });
});

/** The text of the manifest, such as `512Mi`. The stores have no limit. */
function limitOf(service: string): string {
  if (!SERVICES.includes(service)) return 'none';
  const text = readFileSync(join(ROOT, 'deploy', 'kubernetes', `${service}.yaml`), 'utf8');
  const deployment = parseAllDocuments(text)
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Deployment');
  return deployment.spec.template.spec.containers[0].resources.limits.memory;
}

/** Bytes. */
function limitInManifest(service: string): number {
  const [, count, unit] = /^(\d+)(Mi|Gi)$/.exec(limitOf(service)) ?? [];
  return Number(count) * (unit === 'Gi' ? 1024 ** 3 : 1024 ** 2);
}

/** The highest resident size so far of the largest process of a container. */
async function peakMegabytes(container: string): Promise<number> {
  const lines = await engine(`exec ${container} sh -c 'grep -h VmHWM /proc/[0-9]*/status'`);
  const kilobytes = [...lines.matchAll(/VmHWM:\s+(\d+) kB/g)].map(([, value]) => Number(value));
  return Math.round(Math.max(...kilobytes) / 1024);
}
