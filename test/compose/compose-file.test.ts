// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tested text contains variables of compose files
import { execFileSync } from 'node:child_process';
import { variables } from '@sluice/runtime/config/variables';
import { expect } from 'chai';
import { readPage } from '../docs/support.ts';
import { durationMs, parseComposeFile, readComposeFile } from './support/compose-file.ts';
import { createComposeSchemaCheck } from './support/compose-schema.ts';
import { interpolate, MissingVariableError } from './support/interpolate.ts';
import { ROOT } from './support/root.ts';

const SECRET = { SLUICE_SECRET_KEY: 'x' };

describe('docker-compose.yml', () => {
  it('matches the schema of the compose specification, which allows no unknown fields', () => {
    const check = createComposeSchemaCheck();
    expect(check(parseComposeFile())).to.deep.equal([]);
    const { services } = parseComposeFile() as { services: Record<string, object> };
    expect(
      check({ services: { ...services, worker: { ...services.worker, stop_grace: '1s' } } }),
    ).to.not.deep.equal([]);
    expect(check({ services, volume: {} })).to.not.deep.equal([]);
  });

  it('does not start without a secret key, and explains how to create one', () => {
    for (const env of [{}, { SLUICE_SECRET_KEY: '' }]) {
      expect(() => readComposeFile(env)).to.throw(
        MissingVariableError,
        /SLUICE_SECRET_KEY.*openssl rand -base64 32/,
      );
    }
    expect(readComposeFile(SECRET).services.ingress?.environment).to.include(SECRET);
  });

  it('gives the key only to the services that need it', () => {
    const { services } = readComposeFile(SECRET);
    const knowing = Object.keys(services).filter((name) =>
      JSON.stringify(services[name]).includes('SLUICE_SECRET_KEY'),
    );
    expect(knowing).to.deep.equal(['ingress', 'dispatcher', 'api', 'test']);
  });

  it('can run any number of workers: they have no host port and no fixed container name', () => {
    const { worker } = readComposeFile(SECRET).services;
    expect(worker).to.include.keys('command', 'healthcheck').and.not.have.any.keys('ports', 'container_name');
  });

  it('opens ports on the loopback interface only', () => {
    const ports = Object.values(readComposeFile(SECRET).services).flatMap((service) => service.ports ?? []);
    expect(ports).to.deep.equal(['127.0.0.1:8080:8080', '127.0.0.1:9080:9080', '127.0.0.1:8081:8081']);
    const moved = readComposeFile({ ...SECRET, INGRESS_PORT: '80' }).services.ingress;
    expect(moved?.ports?.[0]).to.equal('127.0.0.1:80:8080');
    expect(moved?.environment?.EVENTS_URL).to.equal('http://localhost:80');
  });

  it('waits until the dependencies of a service are healthy, and gives each service time to stop', () => {
    for (const [name, service] of Object.entries(readComposeFile(SECRET).services)) {
      for (const { condition } of Object.values(service.depends_on ?? {}))
        expect(condition).to.equal('service_healthy');
      if (service.profiles !== undefined) continue;
      expect(service, name).to.include.keys('healthcheck', 'stop_signal', 'stop_grace_period', 'restart');
      const ownMs = Number(service.environment?.SHUTDOWN_GRACE_SECONDS ?? 0) * 1000;
      expect(durationMs(service.stop_grace_period ?? ''), name).to.be.greaterThan(ownMs);
    }
  });

  it('makes Redis write to disk before it responds, and never evict', () => {
    const redis = readComposeFile(SECRET).services.redis;
    expect(redis?.command.join(' '))
      .to.include('--appendonly yes --appendfsync always')
      .and.include('--auto-aof-rewrite-min-size 512mb')
      .and.include('noeviction');
    expect(redis?.volumes).to.deep.equal(['redis-data:/data']);
  });

  it('sets only variables that Sluice reads, and passes on every one that a service reads', () => {
    const { services } = readComposeFile(SECRET);
    for (const name of ['ingress', 'worker', 'dispatcher', 'api']) {
      const given = Object.keys(services[name]?.environment ?? {});
      expect(Object.keys(variables)).to.include.members(given);
      const read = variablesReadBy(services[name]?.command ?? []);
      expect(read, name).to.include.members(['REDIS_URL', 'MONGO_URL', 'HOST']);
      // The image sets HOST.
      expect([...given, 'HOST'], name).to.include.members(read);
    }
  });

  it('keeps Redis and MongoDB in a network that leads nowhere, without privileges', () => {
    const { services, networks } = readComposeFile(SECRET);
    expect(networks).to.deep.equal({ default: {}, stores: { internal: true } });
    for (const [name, service] of Object.entries(services)) {
      const isStore = name === 'redis' || name === 'mongo';
      expect(service.networks, name).to.deep.equal(isStore ? ['stores'] : ['default', 'stores']);
      if (name === 'test') continue;
      expect(service, name).to.deep.include({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
  });

  it('keeps the data of the stores in volumes that outlive the containers', () => {
    const { services, volumes } = readComposeFile(SECRET);
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(mounted.map((volume) => volume.split(':')[0])).to.have.members(Object.keys(volumes));
  });
});

/** `up` also starts the dependencies of a service, and scales each service to one unless a number is given. */
describe('the commands in docs/operations.md that replace the services', () => {
  const commands = [...readPage('docs/operations.md').matchAll(/^ *docker compose up ([^#\n]*)/gm)].map(
    ([, args = '']) => args.trim().split(/\s+/),
  );
  const servicesOf = (args: readonly string[]) =>
    args.filter((arg) => Object.hasOwn(readComposeFile(SECRET).services, arg));

  it('begin with the workers and end with the ingresses', () => {
    expect(commands.flatMap(servicesOf)).to.deep.equal(['worker', 'dispatcher', 'api', 'ingress']);
  });

  it('replace one service each, and keep the number of workers', () => {
    for (const args of commands) {
      const [service] = servicesOf(args);
      if (service !== undefined) expect(args).to.include('--no-deps');
      if (service === undefined || service === 'worker') expect(args.join(' ')).to.match(/--scale worker=\d/);
    }
  });
});

describe('the variables of a compose file', () => {
  const env = { SET: 'set', EMPTY: '' };
  const cases: [string, string][] = [
    ['a $SET b ${SET} $$SET', 'a set b set $SET'],
    ['${EMPTY:-d} ${EMPTY-d} ${NONE-d}', 'd  d'],
    ['${NONE:-x${NONE:-$SET}}', 'xset'],
    ['${SET:+yes}${NONE:+no}', 'yes'],
  ];
  for (const [text, expected] of cases) {
    it(`${text} is "${expected}"`, () => {
      expect(interpolate(text, env)).to.equal(expected);
    });
  }
});

/** Every variable that a service reports as wrong if all of them have wrong values. */
function variablesReadBy([, ...args]: readonly string[]): string[] {
  const [main = '', ...flags] = args.toReversed();
  const wrong = Object.fromEntries(Object.keys(variables).map((name) => [`${name}_FILE`, '/does/not/exist']));
  try {
    execFileSync(process.execPath, [...flags, `${ROOT}${main}`], { env: wrong, stdio: 'pipe' });
  } catch (error) {
    const { stderr } = error as { stderr: Buffer };
    return [...String(stderr).matchAll(/^ {2}(\w+)_FILE: /gm)].map(([, name]) => name as string);
  }
  throw new Error(`${main} started with a wrong configuration`);
}
