import { expect } from 'chai';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { post } from '../support/post.ts';
import { signed } from '../support/signed.ts';

describe('pipeline: a signed event passes every part', () => {
  let pipeline: Pipeline;
  before(async () => {
    pipeline = await startPipeline();
  });
  after(() => pipeline?.stop());

  it('is received, stored as an event and logged as a delivery', async () => {
    const source = await pipeline.addSource();
    const body = {
      action: 'upsert',
      event: {
        title: '  Yoga ',
        starts_at: '2027-01-05T18:30:00-05:00',
        ends_at: '2027-01-05T19:30:00-05:00',
        description: 'Weekly class',
        location: '12 Main St',
        url: 'https://example.com/yoga',
        price: 'Free',
        recurring: 'weekly',
        status: 'upcoming',
      },
    };
    const before = Date.now();
    const answer = await post(pipeline.urls[0] + source.path, signed({ secret: source.secret, body }));
    expect(answer.status).to.equal(200);
    const [row] = await pipeline.logged(source, 1);
    expect(row).to.include({
      delivery_id: answer.body.delivery_id,
      action: 'upsert',
      http_status: 200,
      title: 'Yoga',
      outcome: 'created',
      code: null,
      request_id: answer.headers.get('x-request-id'),
      duplicate_of: null,
    });
    expect(row?.received_at).to.be.within(before, Date.now());
    const [event, ...more] = await pipeline.events(source);
    expect(more).to.be.empty;
    expect(event).to.include({
      title: 'Yoga',
      starts_at: Date.parse('2027-01-05T23:30:00Z'),
      ends_at: Date.parse('2027-01-06T00:30:00Z'),
      description: 'Weekly class',
      location: '12 Main St',
      url: 'https://example.com/yoga',
      price: 'Free',
      recurring: 'weekly',
      status: 'upcoming',
    });
  });
});
