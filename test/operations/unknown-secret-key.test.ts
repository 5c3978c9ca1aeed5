import { expect } from 'chai';
import { type Run, sluice, useInstallation } from '../cli/support.ts';
import { freePort } from '../support/free-port.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const SERVICES = ['ingress', 'dispatcher', 'api'] as const;
const ERROR = 50;

/** An unknown key, as after a typing error in a deployment. */
const WRONG = Buffer.alloc(32, 9).toString('base64');

describe('a service with a SLUICE_SECRET_KEY that opens no signing secret', () => {
  const used = useInstallation();
  const running: ServiceProcess[] = [];
  before(() => used.json('source create --name Booking'));
  afterEach(() => Promise.all(running.splice(0).map((service) => service.kill('SIGTERM'))));

  const start = (name: (typeof SERVICES)[number], env: Record<string, string>) => {
    const service = startService(name, { ...used.env, DRAIN_MS: '0', ...env });
    running.push(service);
    return service;
  };
  const readyz = async (service: ServiceProcess): Promise<string> => {
    await until(() => service.adminUrl() !== undefined, { what: 'its admin port is open' });
    return (await fetch(`${service.adminUrl()}/readyz?verbose`)).text();
  };
  const told = ({ log }: ServiceProcess) => log.filter(({ event }) => event === 'secret_key.unknown');
  const rotate = (id: unknown, env: Record<string, string>): Promise<Run> =>
    sluice(['source', 'rotate-secret', String(id), '--lost-key'], { env: { ...used.env, ...env } });

  it('is not ready, so that a deployment stops, and logs once what to do, until the first secret is rotated', async () => {
    const [source] = await used.json('source list');
    for (const name of SERVICES) {
      const service = start(name, { SLUICE_SECRET_KEY: WRONG });
      const line = await service.logged('secret_key.unknown');
      expect(line.level).to.equal(ERROR);
      expect(line.msg).to.contain('SLUICE_SECRET_KEY').and.contain('--lost-key').and.not.contain(WRONG);
      await until(async () => (await readyz(service)).includes('unknown_key'), { what: `${name} says why` });
      const states = service.log.filter(({ msg }) => msg === 'readiness changed');
      expect(states.map(({ ready }) => ready)).to.not.include(true);
      expect(told(service)).to.have.length(1);
    }
    const metrics = await (await fetch(`${running[0]?.adminUrl()}/metrics`)).text();
    expect(metrics).to.match(/sluice_gate_closed\{.*reason="unknown_key".*\} 1/);
    expect((await rotate(source?.source_id, { SLUICE_SECRET_KEY: WRONG })).code).to.equal(0);
    await Promise.all(running.map((service) => service.ready()));
    expect((await rotate(source?.source_id, {})).code).to.equal(0);
  });

  it('is ready if it also has the former key, if there is no source, and if MongoDB is unreachable', async () => {
    const both = { SLUICE_SECRET_KEY: WRONG, SLUICE_SECRET_KEYS_OLD: used.env.SLUICE_SECRET_KEY as string };
    const empty = { SLUICE_SECRET_KEY: WRONG, MONGO_URL: `${used.env.MONGO_URL}-empty` };
    const services = [start('ingress', both), start('ingress', empty)];
    services.push(start('ingress', { MONGO_URL: `mongodb://127.0.0.1:${await freePort()}` }));
    await Promise.all(services.map((service) => service.ready()));
    expect(services.flatMap(told)).to.deep.equal([]);
  });
});

describe('a dispatcher with a SLUICE_SECRET_KEY that opens no secret of a webhook subscription', () => {
  const used = useInstallation();
  let dispatcher: ServiceProcess;
  before(async () => {
    used.env.OUTBOUND_PRIVATE_NETWORKS = 'true';
    await used.json('account create --name Hall');
    await used.json('webhook create --url http://127.0.0.1:8999/hook --events lead.created');
  });
  afterEach(() => dispatcher?.kill('SIGTERM'));
  const start = (env: Record<string, string>) => {
    dispatcher = startService('dispatcher', { ...used.env, DRAIN_MS: '0', ...env });
    return dispatcher;
  };

  it('is never ready, also without a source, and logs once what to do', async () => {
    const { msg } = await start({ SLUICE_SECRET_KEY: WRONG }).logged('secret_key.unknown');
    expect(msg).to.contain('sluice webhook rotate-secret ID');
    const states = dispatcher.log.filter(({ msg: line }) => line === 'readiness changed');
    expect(states.map(({ ready }) => ready)).to.not.include(true);
  });

  it('notices another key while it runs, and is ready again once it opens the secret of a source', async () => {
    await start({}).ready();
    const both = { SLUICE_SECRET_KEY: WRONG, SLUICE_SECRET_KEYS_OLD: used.env.SLUICE_SECRET_KEY as string };
    await used.json('secrets reseal', { env: both });
    await dispatcher.logged('secret_key.unknown');
    const answer = await fetch(`${dispatcher.adminUrl()}/readyz`);
    expect(answer.status).to.equal(503);
    // Other messages and replies leave then.
    await used.json('source create --name Booking');
    await dispatcher.ready();
  });
});
