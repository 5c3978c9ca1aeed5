import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { useBrowser } from './support/browser.ts';
import { addSource } from './support/source.ts';
import type { Person } from './support/stack.ts';

describe('browser: a part of the installation that fails', () => {
  // A separate installation, because its parts are stopped.
  const at = useBrowser({ dispatchers: 1 });
  let owner: Person;
  before(async () => {
    owner = await at.stack.addPerson('owner');
  });

  it('a dispatcher is shown on Ops as ready with its process id, as gone after a SIGKILL, and then as missing', async () => {
    const page = await at.open('/ops', owner);
    await page.getByText('4 of 4').waitFor();
    const row = page.getByRole('row', { name: /dispatcher/ });
    await row.getByText('ready', { exact: true }).waitFor();
    const pid = Number(/:(\d+)$/.exec((await row.locator('code').textContent()) ?? '')?.[1]);
    expect(pid).to.be.above(1);
    process.kill(pid, 'SIGKILL');
    await row.getByText('gone', { exact: true }).waitFor();
    await page.getByText('3 of 4').waitFor();
    const redis = new Redis(at.stack.redisUrl);
    const { replicas } = createKeyspace(at.stack.namespace);
    // A minute later the API server forgets it.
    for (const [id, text] of Object.entries(await redis.hgetall(replicas))) {
      if (JSON.parse(text).kind === 'dispatcher') await redis.hdel(replicas, id);
    }
    redis.disconnect();
    await row.getByText('none reports').waitFor();
    await row.getByText('No message is overdue.').waitFor();
    await page.getByText('3 of 4').waitFor();
  });

  it('a frozen Redis is reported by open lists and newly opened ones, which then recover automatically', async () => {
    const { id, name } = await addSource(at.stack, owner);
    const redis = new Redis(at.stack.redisUrl);
    const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
    redis.disconnect();
    const list = await at.open('/events/webhook', owner);
    await list.getByRole('row', { name: new RegExp(name) }).waitFor();

    process.kill(pid, 'SIGSTOP');
    try {
      const what =
        'Redis is not responding. Try again in a few seconds. If it persists, ask the operator to check Redis.';
      await list.getByRole('status').filter({ hasText: what }).waitFor();
      expect(await list.getByRole('row', { name: new RegExp(name) }).count(), 'the list stays').to.equal(1);
      const opened = await at.open('/events/webhook', owner);
      await opened.getByRole('alert').filter({ hasText: what }).waitFor();
      const source = await at.open(`/events/webhook/${id}/deliveries`, owner);
      await source.getByRole('alert').filter({ hasText: what }).waitFor();

      process.kill(pid, 'SIGCONT');
      await opened.getByRole('row', { name: new RegExp(name) }).waitFor();
      await source.getByRole('heading', { name }).waitFor();
      await list.getByText('Not up to date').waitFor({ state: 'detached' });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
