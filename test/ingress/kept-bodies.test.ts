import type { SourceRecord } from '@sluice/admission/source-record';
import { expect } from 'chai';
import { useIngress } from '../support/ingress.ts';
import { post, postUpsert } from '../support/post.ts';
import { type SignedRequest, signed, upsertBody } from '../support/signed.ts';

describe('ingress: the bodies of requests in jobs', () => {
  const it_ = useIngress();

  /** Sends an accepted and a rejected request, and returns whether their bodies are present, and for what. */
  async function travels(published: Partial<SourceRecord>) {
    const { sourceId, path, secret } = await it_.addSource(published);
    await post(it_.url + path, signed({ secret, body: upsertBody() }));
    await post(it_.url + path, signed({ secret, body: { action: 'upsert', event: {} } }));
    const own = (one: { source_id: string }) => one.source_id === sourceId;
    const action = (await it_.enqueuedActions()).find(own);
    const refusal = (await it_.enqueuedRefusals()).find(own);
    expect([action?.action.kind, refusal?.code]).to.deep.equal(['upsert', 'validation_failed']);
    return {
      accepted: action?.request?.body !== undefined,
      for: action?.request_for,
      refused: typeof refusal?.request?.body === 'string',
    };
  }

  it('have at most 64 KiB, short headers, and too few digits of the signature to send it again', async () => {
    const { sourceId, path, secret } = await it_.addSource();
    const most = 64 * 1024;
    const event = upsertBody();
    const padding = most - JSON.stringify({ ...event, more: '' }).length;
    const sent = [padding, padding + 1].map((count): SignedRequest => {
      const { headers, body } = signed({ secret, body: { ...event, more: 'x'.repeat(count) } });
      return { headers: { ...headers, 'user-agent': 'u'.repeat(300) }, body };
    });
    for (const request of sent) await post(it_.url + path, request);
    const actions = (await it_.enqueuedActions()).filter((one) => one.source_id === sourceId);
    const [largest, larger] = actions.map(({ request }) => request);
    expect([largest?.bytes, larger?.bytes]).to.deep.equal([most, most + 1]);
    expect(largest?.body).to.equal(sent[0]?.body.toString());
    expect(larger?.body).to.equal(null);
    expect(largest?.user_agent).to.equal('u'.repeat(200));
    expect(largest?.signature_start).to.equal(sent[0]?.headers['x-service-signature']?.slice(0, 15));
  });

  it('are omitted over the rate, because a flood must not fill the log', async () => {
    const source = await it_.addSource({ rate_per_second: 0.01, rate_burst: 1 });
    for (const status of [200, 429]) expect((await postUpsert(it_.url, source)).status).to.equal(status);
    const refusal = (await it_.enqueuedRefusals()).find((one) => one.source_id === source.sourceId);
    expect(refusal).to.include({ code: 'rate_limited', action: 'upsert' });
    expect(refusal?.request?.body).to.equal(null);
  });

  it('are omitted without a valid signature, but the row keeps address, user agent and the start of the signature', async () => {
    const { sourceId, path } = await it_.addSource({ body_storage: 'none' });
    const { headers, body } = signed({ secret: 'whsec_wrong', body: upsertBody() });
    await post(it_.url + path, { headers: { ...headers, 'user-agent': 'probe/1' }, body });
    await post(it_.url + path, { headers: { 'content-type': 'text/plain' }, body: Buffer.from('x') });
    const refusals = (await it_.enqueuedRefusals()).filter((one) => one.source_id === sourceId);
    const [forged, plain] = ['signature_invalid', 'unsupported_media_type'].map((code) =>
      refusals.find((one) => one.code === code),
    );
    expect(forged?.request).to.deep.equal({
      content_type: 'application/json',
      user_agent: 'probe/1',
      timestamp: headers['x-service-timestamp'],
      signature_start: headers['x-service-signature']?.slice(0, 15),
      bytes: body.length,
      body: null,
      address: '127.0.0.1',
    });
    expect(plain?.request).to.include({ content_type: 'text/plain', address: '127.0.0.1', body: null });
  });

  it('are present for a source that stores all', async () => {
    const all = { accepted: true, for: undefined, refused: true };
    expect(await travels({ body_storage: 'all' })).to.deep.equal(all);
  });

  it('are present for a source that stores failures, because only the worker knows them', async () => {
    const failures = { accepted: true, for: 'failures', refused: true };
    expect(await travels({ body_storage: 'failures' })).to.deep.equal(failures);
  });

  it('are omitted for a source that stores none', async () => {
    const none = { accepted: false, for: undefined, refused: false };
    expect(await travels({ body_storage: 'none' })).to.deep.equal(none);
  });
});
