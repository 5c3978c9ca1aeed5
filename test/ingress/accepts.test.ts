import { expect } from 'chai';
import request from 'supertest';
import { startIngress, type TestIngress } from '../support/ingress.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: an accepted request', () => {
  let it_: TestIngress;
  before(async () => {
    it_ = await startIngress();
  });
  after(() => it_?.close());

  it('gets 200 with its delivery id once its action is enqueued', async () => {
    const source = await it_.addSource();
    const { body, headers } = signed({ secret: source.secret, body: upsertBody() });
    const answer = await request(it_.url).post(source.path).set(headers).send(body.toString());
    expect(answer.status, answer.text).to.equal(200);
    const [action] = await it_.enqueuedActions();
    expect(answer.body).to.deep.equal({ ok: true, status: 'ok', delivery_id: action?.delivery_id });
  });
});
