import { waitSecondsOf } from '@sluice/ingress/results/wait-for-result';
import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { usePipeline } from '../support/pipeline.ts';
import { type Answer, post } from '../support/post.ts';
import { useRedisClient } from '../support/redis-client.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

/** A request whose sender waits for the result. */
function sendWaiting(url: string, source: TestSource, body: object, prefer = 'wait=5'): Promise<Answer> {
  const { headers, body: bytes } = signed({ secret: source.secret, body });
  return post(url + source.path, { body: bytes, headers: { ...headers, prefer } });
}

const TODAY = ['ok', 'status', 'delivery_id'];

describe('the header Prefer: wait', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ ingress: 1, workers: 2 });
  let source: TestSource;
  before(async () => {
    await pipeline.addIngress({ INGRESS_HTTP_READER: 'node' });
  });
  beforeEach(async () => {
    source = await pipeline.addSource();
  });

  it('adds the outcome and the event to the response, as they are in the delivery log', async () => {
    const upsert = upsertBody({ location: 'Hall' });
    const answers: Answer[] = [];
    for (const action of ['cancel', 'upsert', 'upsert', 'cancel', 'delete', 'delete'])
      answers.push(
        await sendWaiting(pipeline.urls[answers.length % 2] as string, source, {
          action,
          event: { ...upsert.event, price: `${answers.length}` },
        }),
      );
    expect(answers.map(({ body }) => body.outcome)).to.deep.equal([
      'not_found',
      'created',
      'updated',
      'cancelled',
      'deleted',
      'not_found',
    ]);
    for (const { headers } of answers) expect(headers.get('preference-applied')).to.equal('wait=5');
    const rows = await pipeline.deliveries(source);
    for (const { body } of answers) {
      const row = rows.find(({ delivery_id }) => delivery_id === body.delivery_id);
      expect(row).to.include({ outcome: body.outcome, event_id: body.event_id });
    }
  });

  it('gives each of forty concurrent senders the result of the request it sent', async () => {
    const bodies = Array.from({ length: 40 }, () => upsertBody());
    const answers = await Promise.all(
      bodies.map((body, i) => sendWaiting(pipeline.urls[i % 2] as string, source, body)),
    );
    const events = new Map((await pipeline.events(source)).map(({ event_id, title }) => [title, event_id]));
    for (const [i, { body }] of answers.entries()) {
      expect(body.outcome).to.equal('created');
      expect(body.event_id).to.equal(events.get(bodies[i]?.event.title ?? ''));
    }
  });

  it('adds the outcome duplicate to the response to a duplicate', async () => {
    const { headers, body } = signed({ secret: source.secret, body: upsertBody() });
    const request = { body, headers: { ...headers, prefer: 'wait=5' } };
    const first = await post(pipeline.urls[0] + source.path, request);
    const second = await post(pipeline.urls[1] + source.path, request);
    const expected = { duplicate: true, outcome: 'duplicate', event_id: first.body.event_id };
    expect(second.body).to.include(expected);
  });

  for (const [prefer, seconds] of [
    ['respond-async', 0],
    ['wait', 0],
    ['wait=soon', 0],
    ['wait=0', 0],
    ['wait=-1', 0],
    ['x="wait=5"', 0],
    ['respond-async, WAIT = "3" ; x=y', 3],
    ['wait=86400', 5],
    ['wait=2, wait=4', 2],
  ] as const)
    it(`asks with ${prefer} for ${seconds} seconds`, () => {
      expect(waitSecondsOf(prefer)).to.equal(seconds);
    });

  it('is named in the response with the seconds that apply, and not if it asks for none', async () => {
    const applied = async (prefer: string) =>
      (await sendWaiting(pipeline.urls[0] as string, source, upsertBody(), prefer)).headers.get(
        'preference-applied',
      );
    expect(await applied('wait=86400')).to.equal('wait=5');
    expect(await applied('wait=0')).to.equal(null);
  });

  it('delays no response to a rejected request', async () => {
    const answer = await sendWaiting(pipeline.urls[0] as string, source, { action: 'upsert' });
    expect(answer.status).to.equal(400);
    expect(answer.headers.get('preference-applied')).to.equal(null);
  });
});

describe('the header Prefer: wait, if the result does not come,', function () {
  this.timeout(240_000);
  const pipeline = usePipeline({ ingress: 1, workers: 0 });
  let source: TestSource;
  const admin = useRedisClient(() => pipeline.redis.url);
  const first = () => pipeline.urls[0] as string;
  before(async () => {
    source = await pipeline.addSource();
  });

  async function timed(prefer: string): Promise<{ answer: Answer; ms: number }> {
    const startedAt = performance.now();
    const answer = await sendWaiting(first(), source, upsertBody(), prefer);
    return { answer, ms: performance.now() - startedAt };
  }

  const expectToday = ({ status, headers, body }: Answer) => {
    expect(status).to.equal(200);
    expect(Object.keys(body)).to.deep.equal(TODAY);
    expect(headers.get('preference-applied')).to.equal(null);
  };

  it('delays the response for the wait, which is as without the header', async () => {
    const { answer, ms } = await timed('wait=1');
    expectToday(answer);
    expect(ms).to.be.at.least(990);
  });

  it('gets the result or none if a worker is killed with the action, which another one applies', async () => {
    pipeline.addWorker();
    await pipeline.workers[0]?.ready();
    const waiting = Array.from({ length: 20 }, () => sendWaiting(first(), source, upsertBody()));
    await pipeline.workers[0]?.kill('SIGKILL');
    pipeline.addWorker();
    for (const answer of await Promise.all(waiting)) {
      if (answer.body.outcome === undefined) expectToday(answer);
      else expect(answer.body.outcome).to.equal('created');
    }
    await pipeline.workers[1]?.ready();
    const { answer } = await timed('wait=5');
    expect(answer.body.outcome).to.equal('created');
    await pipeline.logged(source, 22);
  });

  it('delays the response for the wait if workers cannot publish', async () => {
    await admin.call('ACL', 'SETUSER', 'default', '-publish');
    try {
      expectToday((await timed('wait=1')).answer);
    } finally {
      await admin.call('ACL', 'SETUSER', 'default', '+publish');
    }
    expect((await timed('wait=5')).answer.body.outcome).to.equal('created');
  });

  it('delays no response while the ingress is not subscribed, and brings results once it is', async () => {
    await admin.call('ACL', 'SETUSER', 'default', '-subscribe');
    try {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
      expectToday((await timed('wait=1')).answer);
    } finally {
      await admin.call('ACL', 'SETUSER', 'default', '+subscribe');
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    }
    for (let tries = 0; ; tries++) {
      const { answer } = await timed('wait=1');
      if (answer.body.outcome === 'created') break;
      expect(tries, 'tries until results come again').to.be.below(50);
    }
  });

  it('delays no response beyond the stop of its ingress', async () => {
    // A worker sends a result before it removes the action from the queue.
    await until(async () => (await pipeline.queued()).actions === 0, { what: 'the queue is empty' });
    await pipeline.workers[1]?.kill('SIGKILL');
    const waiting = timed('wait=5');
    const isQueued = async () => (await pipeline.queued()).actions === 1;
    await until(isQueued, { what: 'the request waits for a worker' });
    await pipeline.ingresses[0]?.kill('SIGTERM');
    const { answer, ms } = await waiting;
    expectToday(answer);
    expect(ms).to.be.below(4500);
  });
});
