import { admittedDeliveryId } from '@sluice/contract/delivery/delivery-id';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { useIngress } from '../support/ingress.ts';
import { post } from '../support/post.ts';
import { sharedRedisUrl } from '../support/shared-redis.ts';
import { signed, upsertBody } from '../support/signed.ts';

describe('ingress: a byte-identical signed request', () => {
  const ingress = useIngress();

  it('gets 200, duplicate: true and the same sequence number when it is sent again', async () => {
    const source = await ingress.addSource();
    const request = signed({ secret: source.secret, body: upsertBody() });
    const first = await post(ingress.url + source.path, request);
    const second = await post(ingress.url + source.path, request);
    expect(first.body).to.deep.equal({ ok: true, status: 'ok', delivery_id: first.body.delivery_id });
    expect(second.body).to.deep.equal({
      ok: true,
      status: 'ok',
      delivery_id: second.body.delivery_id,
      duplicate: true,
    });
    expect(second.body.delivery_id).to.not.equal(first.body.delivery_id);
    const [one, two] = await ingress.enqueuedActions();
    expect(two?.sequence).to.equal(one?.sequence);
    expect(two?.duplicate_of)
      .to.equal(first.body.delivery_id)
      .and.equal(admittedDeliveryId(source.sourceId, one?.sequence ?? 0));
  });

  it('does not count twice towards the plan', async () => {
    const source = await ingress.addSource({ plan: 'free' });
    const request = signed({ secret: source.secret, body: upsertBody() });
    for (let i = 0; i < 5; i++) expect((await post(ingress.url + source.path, request)).status).to.equal(200);
    for (let i = 0; i < 2; i++) {
      const other = signed({ secret: source.secret, body: upsertBody() });
      expect((await post(ingress.url + source.path, other)).status).to.equal(200);
    }
  });

  it('is remembered while it is inside the window, and a minute longer because clocks differ', async () => {
    const source = await ingress.addSource();
    const now = Math.floor(Date.now() / 1000);
    const redis = new Redis(sharedRedisUrl());
    try {
      for (const offset of [-290, 0, 290]) {
        const timestamp = now + offset;
        const request = signed({ secret: source.secret, body: upsertBody(), timestamp });
        expect((await post(ingress.url + source.path, request)).status).to.equal(200);
        const end = await redis.expiretime(createKeyspace(ingress.namespace).seen(String(timestamp)));
        expect(end - timestamp, `${offset} s`).to.be.within(359, 370);
      }
    } finally {
      redis.disconnect();
    }
  });
});
