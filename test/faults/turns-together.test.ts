import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { LONG, sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { type ManyReceivers, startManyReceivers } from './support/many-receivers.ts';
import { report } from './support/report.ts';

/** This is how many may be attempted at once at one host: a dispatcher claims, attempts and settles them together. */
const SUBSCRIPTIONS = 30;
const ROUNDS = sized({ short: 1, middle: 3, long: 20 });

describe('turns that a dispatcher takes and settles together', function () {
  this.timeout(LONG ? 900_000 : 180_000);
  const pipeline = useOutboundPipeline({ ingress: 0, workers: 0, dispatchers: 0, redis: {} });
  let receivers: ManyReceivers;
  let round = 0;

  before(async () => {
    await pipeline.store.ensureIndexes();
  });

  /** A dispatcher, and subscriptions all of whose turns it has. Their receivers do not respond. */
  async function allTaken() {
    const dispatcher = await pipeline.addDispatcher();
    round += 1;
    receivers = await startManyReceivers(pipeline, `acc_${round}`, SUBSCRIPTIONS);
    for (const id of receivers.ids) receivers.silent.add(id);
    await receivers.append('c1');
    await until(() => receivers.got.length === SUBSCRIPTIONS, { what: 'all are attempted' });
    return dispatcher;
  }
  async function endRound(): Promise<void> {
    receivers?.close();
    await Promise.all(pipeline.dispatchers.splice(0).map((one) => one.kill('SIGKILL')));
  }
  afterEach(endRound);

  const timesOf = ({ got, ids }: ManyReceivers) =>
    ids.map((id) => got.filter(({ subscriptionId }) => subscriptionId === id).length);

  it('send nothing more to one that is revoked meanwhile, and the others get theirs (guarantee 10)', async () => {
    await allTaken();
    const [revoked, ...others] = receivers.ids as [string, ...string[]];
    await receivers.append('c2');
    await receivers.revoke(revoked);
    receivers.respond();
    await receivers.delivered(others);
    const status = async () => (await receivers.status())[0];
    await until(async () => (await status())?.attempting === 0);
    expect(await status()).to.include({ waiting: 1 });
    expect(timesOf(receivers)).to.deep.equal(receivers.ids.map((id) => (id === revoked ? 1 : 2)));
  });

  it('are not acknowledged by a dispatcher that was frozen until another had taken them', async () => {
    let acknowledged = 0;
    for (let n = 0; n < ROUNDS; n++) {
      const frozen = await allTaken();
      process.kill(frozen.pid, 'SIGSTOP');
      await receivers.loseTurns();
      await pipeline.addDispatcher();
      await until(() => receivers.got.length === 2 * SUBSCRIPTIONS, { what: 'the second has taken all' });
      for (const { response } of receivers.got.slice(0, SUBSCRIPTIONS)) response.end();
      process.kill(frozen.pid, 'SIGCONT');
      await until(async () => (await runningTurns(frozen.adminUrl())) === 0, { what: 'it has settled all' });
      acknowledged += SUBSCRIPTIONS - (await receivers.turns());
      receivers.respond();
      await receivers.delivered(receivers.ids);
      expect(timesOf(receivers)).to.deep.equal(receivers.ids.map(() => 2));
      if (n < ROUNDS - 1) await endRound();
    }
    report(`${acknowledged} of ${ROUNDS * SUBSCRIPTIONS}`, ROUNDS);
    expect(acknowledged).to.equal(0);
  });
});

/** How many turns a dispatcher has, by its metrics. */
async function runningTurns(adminUrl: string | undefined): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  return Number(/^sluice_dispatcher_turns(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
}
