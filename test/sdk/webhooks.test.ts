import { expect } from 'chai';
import { sendEvent, signEvent, verifyWebhook, WebhookVerificationError } from '#sdk';
import { type OutboundPipeline, useOutboundPipeline } from '../dispatcher/support/outbound-pipeline.ts';
import { type Receiver, startReceiver } from '../dispatcher/support/receiver.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type Front, startFront } from './support/front.ts';

const action = {
  action: 'upsert',
  event: { title: 'Öffnungstag', starts_at: '2030-04-01T08:00:00Z', location: 'Hall' },
} as const;

describe('sdk: webhooks and signed events with real processes', function () {
  this.timeout(120_000);
  const pipeline = useOutboundPipeline();
  const receiver = use(startReceiver);
  let source: Awaited<ReturnType<OutboundPipeline['addSource']>>;
  let secret: string;
  let url: string;
  let front: Front;
  before(async () => {
    source = await pipeline.addSource();
    url = pipeline.urls[0] + source.path;
    front = await startFront(Number(new URL(url).port));
    const wanted = { target_url: receiver.url, events: ['*'] };
    ({ secret } = await pipeline.subscribe(source.accountId, wanted));
    await sendEvent(action, { url, secret: source.secret });
    await until(() => receiver.received.length > 0, { withinMs: 30_000 });
  });
  after(async () => {
    await front?.close();
  });

  const delivery = () => receiver.received[0] as Receiver['received'][number];
  const OTHER = `whsec_${Buffer.alloc(48, 1).toString('base64')}`;

  it('verifyWebhook accepts a message that the dispatcher sent, as text or bytes, and types it', () => {
    const { text, headers } = delivery();
    const message = verifyWebhook(text, headers, secret);
    if (message.type !== 'event.created') throw new Error(message.type);
    expect(message.data.title).to.equal('Öffnungstag');
    const fetched = new Headers(headers as Record<string, string>);
    expect(verifyWebhook(Buffer.from(text), fetched, [OTHER, secret])).to.deep.equal(message);
  });

  it('verifyWebhook accepts a secret with the line end of the file that it was read from', () => {
    const { text, headers } = delivery();
    expect(verifyWebhook(text, headers, `${secret}\r\n`).type).to.equal('event.created');
    expect(() => verifyWebhook(text, headers, `${OTHER}\r\n`)).to.throw(WebhookVerificationError);
  });

  it('verifyWebhook rejects a changed body, id, time and signature, another secret, and a message without headers', () => {
    const { text, headers } = delivery();
    const wrong = [
      [text.replace('Hall', 'Mall'), headers, secret],
      [`${text}\n`, headers, secret],
      [text, { ...headers, 'webhook-id': 'msg_x' }, secret],
      [text, { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 60) }, secret],
      [text, { ...headers, 'webhook-timestamp': '1' }, secret],
      [text, { ...headers, 'webhook-signature': 'v1,AAAA' }, secret],
      [text, headers, OTHER],
      [text, headers, []],
      [text, {}, secret],
      [new Uint8Array([0xff, 0xfe]), headers, secret],
    ] as const;
    for (const [body, sent, used] of wrong)
      expect(() => verifyWebhook(body, sent, used)).to.throw(WebhookVerificationError);
  });

  it('verifyWebhook says that a forged message is forged, also if one of the secrets is empty', () => {
    const { text, headers } = delivery();
    const forged = { ...headers, 'webhook-signature': 'v1,AAAA' };
    for (const secrets of [
      [secret, ''],
      ['', secret],
    ]) {
      expect(() => verifyWebhook(text, forged, secrets)).to.throw(WebhookVerificationError);
      expect(verifyWebhook(text, headers, secrets).type).to.equal('event.created');
    }
    expect(() => verifyWebhook(text, headers, ['', ''])).to.throw(Error, 'empty');
  });

  it('signEvent makes headers that the ingress accepts, for an object, a text and bytes, and a secret with a newline', async () => {
    const json = JSON.stringify(action);
    for (const given of [action, json, new TextEncoder().encode(json)]) {
      const { body, headers } = await signEvent(given, { secret: `${source.secret}\n` });
      const response = await fetch(url, { method: 'POST', body: body as BodyInit, headers });
      expect(response.status, await response.text()).to.equal(200);
    }
  });

  it('the ingress rejects what signEvent signed with another secret or time', async () => {
    const wrong = [
      { secret: OTHER },
      { secret: source.secret.replace('whsec_', '') },
      { secret: source.secret, at: Date.now() - 400_000 },
    ];
    for (const options of wrong) {
      const { body, headers } = await signEvent(action, options);
      const response = await fetch(url, { method: 'POST', body: body as BodyInit, headers });
      expect(response.status).to.be.oneOf([400, 401]);
    }
  });

  it('sendEvent repeats the same bytes, timestamp and signature, which has one effect', async () => {
    const away = new URL(url);
    away.host = new URL(front.url).host;
    front.deeds = [{ status: 503 }, 'lose'];
    const event = { ...action.event, title: 'Sent three times' };
    const accepted = await sendEvent(
      { action: 'upsert', event },
      { url: away.href, secret: source.secret, retry: { firstDelayMs: 1 } },
    );
    expect(accepted).to.include({ ok: true, duplicate: true });
    const sent = front.passed.map(({ body, headers }) =>
      [body, headers['x-service-timestamp'], headers['x-service-signature']].join(),
    );
    expect(sent).to.have.length(3);
    expect(new Set(sent).size).to.equal(1);
  });

  it('sendEvent waits for the outcome, and throws a problem for a rejected event', async () => {
    const applied = await sendEvent(action, { url, secret: source.secret, waitSeconds: 5 });
    expect(applied.event_id).to.match(/^evt_/);
    const bad = { ...action, event: { ...action.event, starts_at: 'soon' } };
    const error = await sendEvent(bad, { url, secret: source.secret }).catch((reason) => reason);
    expect(error).to.include({ name: 'SluiceProblem', status: 400, code: 'validation_failed' });
  });

  it('sendEvent follows no redirect, and throws a problem for a page in place of JSON', async () => {
    const sent = () =>
      sendEvent(action, { url: front.url, secret: source.secret }).catch((reason: unknown) => reason);
    front.deeds = [{ status: 307, headers: { Location: `${url}?a=b` } }];
    expect(await sent()).to.include({
      name: 'SluiceProblem',
      status: 307,
      detail: `The server redirects to ${url}: use that address as url.`,
    });
    front.deeds = [{ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<p>Welcome' }];
    expect(await sent()).to.include({ name: 'SluiceProblem', status: 200, code: 'unexpected_response' });
  });

  it('signEvent and sendEvent name a secret or URL that is missing', async () => {
    const messageOf = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => (error instanceof TypeError ? error.message : error),
      );
    for (const secret of ['', ' \n', undefined as never]) {
      expect(await messageOf(signEvent(action, { secret }))).to.match(/^secret is empty/);
      expect(await messageOf(sendEvent(action, { url, secret }))).to.match(/^secret is empty/);
    }
    for (const wrong of ['', 'localhost:8080/x', source.secret, undefined as never])
      expect(await messageOf(sendEvent(action, { url: wrong, secret: source.secret })))
        .to.match(/^url is not an http or https address/)
        .and.not.contain(source.secret);
  });
});
