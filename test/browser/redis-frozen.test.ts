import { expect } from 'chai';
import { Redis } from 'ioredis';
import { useBrowser } from './support/browser.ts';
import { addSource } from './support/source.ts';

/** A page reloads every 10 s. The API rejects a call after 1 s, and the page retries it once. */
const SOON_MS = 14_000;

describe('browser: Redis does not respond', () => {
  const at = useBrowser({});

  it('an open list and a newly opened one report a frozen Redis within seconds, and recover automatically', async () => {
    const owner = await at.stack.addPerson('owner');
    const { id, name } = await addSource(at.stack, owner);
    const redis = new Redis(at.stack.redisUrl);
    const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
    redis.disconnect();
    const list = await at.open('/events/webhook', owner);
    await list.getByRole('row', { name: new RegExp(name) }).waitFor();
    const shown = await at.open(`/events/webhook/${id}/deliveries`, owner);
    await shown.getByRole('heading', { name }).waitFor();

    process.kill(pid, 'SIGSTOP');
    try {
      const what =
        'Redis is not responding. Try again in a few seconds. If it persists, ask the operator to check Redis.';
      await list.getByRole('status').filter({ hasText: what }).waitFor({ timeout: SOON_MS });
      expect(await list.getByRole('row', { name: new RegExp(name) }).count(), 'the list stays').to.equal(1);

      const started = performance.now();
      const opened = await at.open('/events/webhook', owner);
      await opened.getByRole('alert').filter({ hasText: what }).waitFor();
      expect(performance.now() - started).to.be.below(SOON_MS / 2);
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
