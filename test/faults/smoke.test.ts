import { UNVERIFIED_ROWS_PER_MINUTE } from '@sluice/admission/checks/bad-signatures.lua';
import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { seededRandom } from '../support/load.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { seed } from '../support/size.ts';
import { until } from '../support/until.ts';
import { answersOf, prepareAttack, rawRequest } from './support/floods-attack.ts';
import { killOne } from './support/kill.ts';
import { type OutboundLoad, replaceDispatcher, startOutboundLoad } from './support/outbound-load.ts';

/** Accepted changes before and after each fault. */
const BETWEEN = 20;
const FLOOD_ANSWERS = 300;

/** The faults of `npm test`: two kills, an outage and a flood. The other files play each kind more often. */
describe('messages under load are all delivered, and in order where ordered,', function () {
  this.timeout(240_000);
  const random = seededRandom(seed);
  const pipeline = useOutboundPipeline({ workers: 2, dispatchers: 1 });
  let outbound: OutboundLoad;
  beforeEach(async () => {
    outbound = await startOutboundLoad(pipeline);
    await outbound.load.more(BETWEEN);
  });
  afterEach(() => outbound?.stop());

  it('if a worker and the dispatcher are killed', async () => {
    await killOne(pipeline, 'worker', random);
    await outbound.load.more(BETWEEN);
    await replaceDispatcher(pipeline, 'SIGKILL');
    await outbound.load.more(BETWEEN);
    await outbound.expectDelivered(2);
  });

  it('if Redis and MongoDB are killed and come back', async () => {
    await killOne(pipeline, 'Redis', random);
    await killOne(pipeline, 'MongoDB', random);
    await outbound.load.more(BETWEEN);
    await outbound.expectDelivered(2);
  });

  it('during a flood of badly signed requests, which fill few rows of the log', async () => {
    const target = await pipeline.addSource();
    const { body, headers } = signed({ secret: 'whsec_wrong', body: upsertBody() });
    const requests = [rawRequest(target.path, { ...headers, 'content-length': body.length }, body)];
    const port = Number(new URL(pipeline.urls[0] as string).port);
    const attack = await prepareAttack({ kind: 'repeat', port, connections: 20, requests, pipelined: 1 });
    attack.begin();
    await outbound.load.more(BETWEEN);
    await until(() => answersOf(attack.seen()) >= FLOOD_ANSWERS, { what: 'the flood is answered' });
    const { statuses } = await attack.stop();
    await outbound.expectDelivered(1);
    expect(Object.keys(statuses)).to.include('401').and.not.include('200');
    // Each minute has its rows and a counter row. Redis's minute may begin earlier or later.
    const rows = await pipeline.deliveries(target);
    expect(rows.length).to.be.within(1, 2 * (UNVERIFIED_ROWS_PER_MINUTE + 2));
    expect(rows.length).to.be.below(FLOOD_ANSWERS);
  });
});
