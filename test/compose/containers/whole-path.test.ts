import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { rows } from './support/container-source.ts';
import { compose, containersOf, isHealthy } from './support/containers.ts';
import { startReceiver } from './support/receiver.ts';
import { inContainers, logsOfFailures, WORKERS } from './support/stack.ts';

const SERVICES = ['redis', 'mongo', 'ingress', 'worker', 'dispatcher', 'api'];
const api = (path: string) => `http://127.0.0.1:${process.env.API_PORT}${path}`;

describe('docker-compose.yml in containers', function () {
  this.timeout(300_000);
  inContainers();
  logsOfFailures();

  it('starts every service, with four workers, and every health check passes', async () => {
    for (const service of SERVICES) {
      const containers = await containersOf(service);
      expect(containers, service).to.have.lengthOf(service === 'worker' ? WORKERS : 1);
      for (const container of containers) expect(await isHealthy(container), container).to.equal(true);
    }
  });

  it('passes the tests of its service `test`, from inside of its network', async () => {
    const output = await compose('--profile test run --rm --no-deps test');
    expect(output).to.match(/[1-9]\d* passed, 0 failed/);
  });

  it('serves the dashboard on its published port, behind the one-time link', async () => {
    const link = /http:\/\/\S+/.exec(await compose('exec api sluice owner-link'))?.[0] ?? '';
    expect(link).to.include(`http://localhost:${process.env.API_PORT}/`);
    const page = await fetch(link.replace('localhost', '127.0.0.1'));
    expect(page.status).to.equal(200);
    const html = await page.text();
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? '';
    expect((await fetch(api(script))).status, html).to.equal(200);
  });

  it('stores a lead of the public API, and tells a webhook subscription', async () => {
    const receiver = await startReceiver();
    try {
      await rows(`webhook create --url ${receiver.url} --events lead.created`);
      const [{ key }] = await rows('key create --name Containers --scopes read:leads,write:leads');
      const created = await fetch(api('/api/public/leads'), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }),
      });
      expect(created.status).to.equal(201);
      await until(async () => (await receiver.received()) >= 1, { what: 'the receiver has the message' });
      expect((await rows('lead list')).map(({ email }) => email)).to.include('ada@example.com');
    } finally {
      await receiver.close();
    }
  });
});
