import { expect } from 'chai';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, startPipeline } from '../support/pipeline.ts';
import { type Answer, post } from '../support/post.ts';
import { type SignedRequest, signed, upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';

describe('a duplicate behind a newer request', function () {
  this.timeout(240_000);
  let pipeline: Pipeline;
  let source: TestSource;
  before(async () => {
    pipeline = await startPipeline({ ingress: 2, workers: 2 });
  });
  beforeEach(async () => {
    source = await pipeline.addSource();
  });
  after(() => pipeline?.stop());

  let sent = 0;
  const send = (request: SignedRequest): Promise<Answer> =>
    post(pipeline.urls[sent++ % 2] + source.path, request);
  /**
   * Until a second after the other request, and until a worker has applied it, it is not known whether that one was about the
   * same event. Each repetition is a duplicate too.
   */
  async function again(request: SignedRequest): Promise<Answer> {
    let answer = await send(request);
    const isKnown = async () => {
      if (String(answer.body.note).startsWith('Newer requests')) answer = await send(request);
      return !String(answer.body.note).startsWith('Newer requests');
    };
    await until(isKnown, { what: 'the response states whether the newer request was about this event' });
    return answer;
  }
  const timestamp = Math.floor(Date.now() / 1000);
  const sign = (body: object, at = timestamp) => signed({ secret: source.secret, body, timestamp: at });

  it('about the same event: the response states it, and how to repeat the action', async () => {
    const upsert = upsertBody();
    const remove = { ...upsert, action: 'delete' };
    await send(sign(remove));
    await send(sign(upsert));
    const repeated = await again(sign(remove));
    expect(repeated.body).to.include({ duplicate: true });
    expect(repeated.body.note).to.contain('A newer request about this event').and.contain('a new timestamp');
    const wanted = await send(sign(remove, timestamp + 1));
    expect(wanted.body).to.not.have.any.keys('duplicate', 'note');
    await until(async () => (await pipeline.events(source)).length === 0);
  });

  it('about another event: the response has no note', async () => {
    const first = sign(upsertBody());
    await send(first);
    await send(sign(upsertBody()));
    const repeated = await again(first);
    expect(repeated.body).to.include({ duplicate: true }).and.not.have.property('note');
  });

  it('without a newer request: the response has no note', async () => {
    const first = sign(upsertBody());
    await send(sign(upsertBody()));
    await send(first);
    const repeated = await send(first);
    expect(repeated.body).to.include({ duplicate: true }).and.not.have.property('note');
  });

  it('has the note for a sender that waits for the result, too', async () => {
    const upsert = upsertBody();
    const first = sign(upsert);
    await send(first);
    await send(sign({ ...upsert, action: 'cancel' }));
    const repeated = await again({ ...first, headers: { ...first.headers, prefer: 'wait=5' } });
    expect(repeated.body.outcome).to.equal('duplicate');
    expect(repeated.body.note).to.contain('A newer request about this event');
  });

  it('the two actions are two requests if each has another field', async () => {
    const upsert = upsertBody();
    const remove = { ...upsert, action: 'delete' };
    for (const [i, body] of [remove, upsert, remove].entries()) {
      const answer = await send(sign({ ...body, request: i }));
      expect(answer.body).to.not.have.property('duplicate');
    }
    await pipeline.logged(source, 3);
    expect(await pipeline.events(source)).to.deep.equal([]);
  });

  it('without workers the response states that there may be one', async () => {
    for (const worker of pipeline.workers) await worker.kill('SIGKILL');
    const first = sign(upsertBody());
    await send(first);
    await send(sign(upsertBody()));
    const repeated = await send(first);
    expect(repeated.body.note).to.contain('Newer requests of this source').and.contain('a new timestamp');
  });
});
