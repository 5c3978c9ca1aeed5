import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { addKey, startApis } from '../support/api-processes.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startSluice } from './running.ts';

/** A separate file, because it waits for more than a minute and needs almost no CPU (scripts/lib/sets.mjs). */
describe('sluice listen, if it is killed', function () {
  this.timeout(180_000);
  const pipeline = useOutboundPipeline();
  const apis = use(() => startApis(pipeline, 1));

  it('ends its subscription within 90 s after it was killed', async () => {
    const { accountId } = await pipeline.addSource();
    const key = await addKey(pipeline, accountId);
    const env = { SLUICE_URL: apis.urls[0] as string, SLUICE_API_KEY: key };
    const running = startSluice(['listen', '--forward-to', 'http://127.0.0.1:9', '--json'], env);
    const subscriptions = () => pipeline.store.subscriptions.listSubscriptions(accountId);
    try {
      await until(() => running.lines.length > 0 || running.stderr() !== '');
      expect(running.stderr()).to.equal('');
    } finally {
      await running.end('SIGKILL');
    }
    expect(await subscriptions()).to.have.length(1);
    const [one] = await subscriptions();
    expect((one?.expires_at ?? 0) - Date.now()).to.be.within(1, 76_000);
    await until(async () => (await subscriptions()).length === 0, { withinMs: 100_000 });
  });
});
