// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tested text contains variables of compose files
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { variables } from '@sluice/runtime/config/variables';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { readPage } from '../docs/support.ts';
import { durationMs, readComposeFile } from './support/compose-file.ts';
import { instructionsOf, lastOf } from './support/dockerfile.ts';
import { PARTS, READS } from './support/variables-read.ts';

const { services, networks, volumes } = readComposeFile();
const command = (part: string) => ['node', `services/${part}/dist/main.js`];

describe('docker-compose.yml', () => {
  it('matches the schema of the compose specification, which allows no unknown fields', () => {
    const valid = composeSchemaCheck();
    expect(valid(readComposeFile())).to.equal(true);
    expect(valid({ services, volume: {} })).to.equal(false);
  });

  it('does not start without a secret key, explains how to create one, and gives it to no other service', () => {
    const knowing = Object.keys(services).filter((name) =>
      JSON.stringify(services[name]).includes('SLUICE_SECRET_KEY'),
    );
    expect(knowing).to.deep.equal(['ingress', 'dispatcher', 'api', 'test']);
    for (const name of knowing)
      expect(services[name]?.environment?.SLUICE_SECRET_KEY).to.match(/^\$\{SLUICE_SECRET_KEY:\?.+\}$/);
    expect(services.ingress?.environment?.SLUICE_SECRET_KEY).to.include('openssl rand -base64 32');
  });

  it('can run any number of workers: they have no host port and no fixed container name', () => {
    expect(services.worker).to.include.keys('command', 'healthcheck');
    expect(services.worker).to.not.have.any.keys('ports', 'container_name');
  });

  it('opens ports on the loopback interface only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).to.deep.equal([
      '127.0.0.1:${INGRESS_PORT:-8080}:8080',
      '127.0.0.1:${INGRESS_ADMIN_PORT:-9080}:9080',
      '127.0.0.1:${API_PORT:-8081}:8081',
    ]);
  });

  it('waits until the dependencies of a service are healthy, and gives each service time to stop', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const { condition } of Object.values(service.depends_on ?? {}))
        expect(condition).to.equal('service_healthy');
      if (service.profiles !== undefined) continue;
      expect(service, name).to.include.keys('healthcheck', 'stop_signal', 'stop_grace_period', 'restart');
      const [ownSeconds = '0'] = /\d+/.exec(service.environment?.SHUTDOWN_GRACE_SECONDS ?? '') ?? [];
      expect(durationMs(service.stop_grace_period ?? ''), name).to.be.greaterThan(Number(ownSeconds) * 1000);
    }
  });

  it('makes Redis write to disk before it responds, and never evict', () => {
    expect(services.redis?.command.join(' '))
      .to.include('--appendonly yes --appendfsync always')
      .and.include('--auto-aof-rewrite-min-size 512mb')
      .and.include('noeviction');
    expect(services.redis?.volumes).to.deep.equal(['redis-data:/data']);
  });

  for (const part of PARTS)
    it(`runs the bundled ${part}, and passes on every variable that it reads`, () => {
      const given = Object.keys(services[part]?.environment ?? {});
      expect(services[part]?.command).to.deep.equal(command(part));
      expect(Object.keys(variables)).to.include.members(given);
      const read = Object.keys(READS[part]);
      expect(read).to.include.members(['REDIS_URL', 'MONGO_URL', 'HOST']);
      // The image sets HOST.
      expect([...given, 'HOST']).to.include.members(read);
    });

  it('runs the ingress as the image does without a command', () => {
    const image = (lastOf('CMD', instructionsOf('production')) ?? '').replace(/^.*?CMD /, '');
    expect(JSON.parse(image)).to.deep.equal(command('ingress'));
  });

  it('keeps Redis and MongoDB in a network that leads nowhere, without privileges', () => {
    expect(networks).to.deep.equal({ default: {}, stores: { internal: true } });
    for (const [name, service] of Object.entries(services)) {
      const isStore = name === 'redis' || name === 'mongo';
      expect(service.networks, name).to.deep.equal(isStore ? ['stores'] : ['default', 'stores']);
      if (name === 'test') continue;
      expect(service, name).to.deep.include({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    }
  });

  it('keeps the data of the stores in volumes that outlive the containers', () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    expect(mounted.map((volume) => volume.split(':')[0])).to.have.members(Object.keys(volumes));
  });
});

/** `up` also starts the dependencies of a service, and scales each service to one unless a number is given. */
describe('the commands in docs/operations.md that replace the services', () => {
  const commands = [...readPage('docs/operations.md').matchAll(/^ *docker compose up ([^#\n]*)/gm)].map(
    ([, args = '']) => args.trim().split(/\s+/),
  );
  const servicesOf = (args: readonly string[]) => args.filter((arg) => Object.hasOwn(services, arg));

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

/** The JSON schema of the compose specification (Apache-2.0), from the compose file linter `dclint`. */
function composeSchemaCheck() {
  const dclint = createRequire(import.meta.url).resolve('dclint/package.json');
  const schema = JSON.parse(readFileSync(join(dirname(dclint), 'schemas', 'compose.schema.json'), 'utf8'));
  // Ajv does not know draft 7 under the name in the file (https, no `#`).
  return new Ajv({ strict: false }).compile({ ...schema, $schema: undefined });
}
