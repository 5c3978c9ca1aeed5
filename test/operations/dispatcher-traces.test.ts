import { expect } from 'chai';
import { useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { startReceiver } from '../dispatcher/support/receiver.ts';
import { postUpsert } from '../support/post.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { startOtlpReceiver } from './support/otlp-receiver.ts';

const SECRET_TITLE = 'Known to few people';

describe('traces of a dispatcher', function () {
  this.timeout(240_000);
  const collector = use(startOtlpReceiver);
  const receiver = use(startReceiver);
  const pipeline = useOutboundPipeline(() => ({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
  }));
  let subscriptionId: string;
  let secret: string;

  before(async () => {
    const source = await pipeline.addSource();
    const made = await pipeline.subscribe(source.accountId, { target_url: receiver.url, events: ['*'] });
    subscriptionId = made.subscription.subscription_id;
    secret = made.secret;
    // The first attempt fails, and the second one is 5 s later.
    receiver.answer = (_received, response) =>
      response.writeHead(receiver.received.length === 1 ? 500 : 200).end('an answer of the receiver');
    await postUpsert(pipeline.urls[0] as string, source, { title: SECRET_TITLE });
  });
  const attempts = () => collector.spans.filter(({ name }) => name === 'deliver message');

  it('have a span for each attempt, with its ids, code and status', async () => {
    await until(() => attempts().length === 2, { what: 'the collector has two attempts' });
    const [failed, delivered] = attempts();
    const ids = {
      'messaging.message.id': receiver.received[0]?.id,
      'sluice.subscription_id': subscriptionId,
      'sluice.message_kind': 'event.created',
    };
    expect(failed).to.deep.include({ service: 'sluice-dispatcher', failed: true, parentSpanId: '' });
    expect(failed?.attributes).to.deep.include({
      ...{ ...ids, 'sluice.attempt': 1, 'sluice.code': 'server_error', 'http.response.status_code': 500 },
    });
    expect(delivered?.failed).to.equal(false);
    expect(delivered?.attributes).to.deep.include({
      ...{ ...ids, 'sluice.attempt': 2, 'sluice.code': 'delivered', 'http.response.status_code': 200 },
    });
  });

  it('contain nothing of a message, its receiver or its secret', () => {
    const all = collector.bodies.join('\n');
    for (const text of [SECRET_TITLE, secret, 'v1,', '/hook', 'an answer of the receiver'])
      expect(all).to.not.include(text);
  });
});
