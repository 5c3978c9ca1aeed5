import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { useBrowser } from './support/browser.ts';

describe('browser: Ops with a dispatcher', () => {
  const at = useBrowser({ dispatchers: 1 });

  const replicas = () => createKeyspace(at.stack.namespace).replicas;

  it('shows it as ready with its process id, as gone after a SIGKILL, and then that none reports', async () => {
    const owner = await at.stack.addPerson('owner');
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
    // A minute later the API server forgets it.
    for (const [id, text] of Object.entries(await redis.hgetall(replicas()))) {
      if (JSON.parse(text).kind === 'dispatcher') await redis.hdel(replicas(), id);
    }
    redis.disconnect();
    await row.getByText('none reports').waitFor();
    await row.getByText('No message is overdue.').waitFor();
    await page.getByText('3 of 4').waitFor();
  });
});
