import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { HOUR_MS } from '@sluice/contract/time/durations';
import { PRESETS, type PresetName, senderOf as presetSender } from '@sluice/signature/presets/presets';
import { sampleBody } from '@sluice/signature/presets/samples';
import { signAs } from '@sluice/signature/sender/sign-as';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { startIngress, type TestSource } from '../support/ingress.ts';
import { type Answer, post, postUpsert } from '../support/post.ts';
import { signed, upsertBody } from '../support/signed.ts';
import { use } from '../support/use.ts';

const PASTED = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

describe('ingress: sources with another sender', () => {
  const ingress = use(startIngress);

  const senderOf = (preset: PresetName) => ({ preset, verify: PRESETS[preset].verify });
  const addSender = async (preset: PresetName, secret = PASTED): Promise<TestSource> => {
    const source = await ingress.addSource({ sender: senderOf(preset) });
    await ingress.changeSource(source, { secret });
    return { ...source, secret };
  };
  const send = (source: TestSource, headers: Record<string, string>, body: string): Promise<Answer> =>
    post(ingress.url + source.path, {
      body: Buffer.from(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const sendAs = (
    preset: PresetName,
    source: TestSource,
    body: object,
    { id = `msg_${randomUUID()}`, nowMs = Date.now() } = {},
  ) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = signAs(PRESETS[preset].verify, { secret: source.secret, body: bytes, id, nowMs });
    return send(source, headers, bytes.toString());
  };
  const actionsOf = async ({ sourceId }: TestSource) =>
    (await ingress.enqueuedActions()).filter(({ source_id }) => source_id === sourceId);
  const hmac = (text: string) => createHmac('sha256', PASTED).update(text).digest('hex');
  const body = JSON.stringify(upsertBody({ title: 'Open day' }));
  const seconds = () => Math.floor(Date.now() / 1000);

  it('accept the body of Sluice, signed by the library of Standard Webhooks', async () => {
    const source = await addSender('standard-webhooks');
    const at = new Date();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
      'webhook-signature': new Webhook(PASTED).sign('msg_1', at, body),
    };
    expect(await send(source, headers, body)).to.include({ status: 200 });
    const [action] = await actionsOf(source);
    expect(action?.action.identity.title).to.equal('Open day');
    expect(action?.request).to.include({ body, timestamp: '', signature_start: '' });
  });

  it('accept the body of Sluice, signed as Stripe and GitHub document it', async () => {
    const stripe = await addSender('stripe');
    const t = seconds();
    expect(await send(stripe, { 'Stripe-Signature': `t=${t},v1=${hmac(`${t}.${body}`)}` }, body)).to.include({
      status: 200,
    });
    const github = await addSender('github');
    expect(await send(github, { 'X-Hub-Signature-256': `sha256=${hmac(body)}` }, body)).to.include({
      status: 200,
    });
  });

  it('reject the scheme of Sluice, and the reverse', async () => {
    const source = await addSender('github');
    const answer = await post(
      ingress.url + source.path,
      signed({ secret: source.secret, body: upsertBody() }),
    );
    expect(answer.body).to.include({ status: 401, code: 'signature_missing' });
    expect(answer.body.detail).to.contain('X-Hub-Signature-256');
    const own = await ingress.addSource();
    expect((await sendAs('github', own, upsertBody())).body).to.include({ code: 'signature_missing' });
  });

  it('name the sender that a request without the expected header looks like', async () => {
    const detail = async (source: TestSource, headers: Record<string, string>) =>
      (await send(source, headers, body)).body.detail;
    const github = await addSender('github');
    const t = seconds();
    const stripe = { 'Stripe-Signature': `t=${t},v1=${hmac(`${t}.${body}`)}` };
    expect(await detail(github, stripe)).to.match(
      /X-Hub-Signature-256 is missing.*one of Stripe.*preset stripe/,
    );
    expect(await detail(await ingress.addSource(), stripe)).to.contain('choose the preset stripe');
    const own = await post(ingress.url + github.path, signed({ secret: PASTED, body: upsertBody() }));
    expect(own.body.detail).to.contain('one of Sluice');
    expect(await detail(github, {})).not.to.contain('looks like');
    const calCom = await addSender('cal-com');
    const bare = { 'X-Hub-Signature-256': hmac(body) };
    expect(await detail(github, bare)).to.contain('right secret, but in another form');
    const none = await detail(calCom, { 'X-Cal-Signature-256': 'no-secret-provided' });
    expect(none).to.contain('no secret in the sender');
    const standard = await addSender('standard-webhooks');
    const withoutId = { 'webhook-timestamp': `${t}`, 'webhook-signature': 'v1,x' };
    expect(await detail(standard, withoutId))
      .to.contain('webhook-id')
      .and.not.contain('looks like');
  });

  it('reject a wrong secret, an old time and a body that is no action, with the codes of Sluice', async () => {
    const source = await addSender('stripe');
    const wrong = await sendAs('stripe', { ...source, secret: `${PASTED}x` }, upsertBody());
    expect(wrong.body).to.include({ status: 401, code: 'signature_invalid' });
    const old = await sendAs('stripe', source, upsertBody(), { nowMs: Date.now() - 301_000 });
    expect(old.body).to.include({ status: 400, code: 'timestamp_expired' });
    const other = await sendAs('stripe', source, { object: 'event' });
    expect(other.body).to.include({ status: 400, code: 'validation_failed' });
    const rows = (await ingress.enqueuedRefusals()).filter(({ source_id }) => source_id === source.sourceId);
    expect(rows.map(({ code }) => code)).to.deep.equal([
      'signature_invalid',
      'timestamp_expired',
      'validation_failed',
    ]);
    for (const row of rows) expect(row.request).to.include({ timestamp: '', signature_start: '' });
  });

  it('reject a signature header that is sent twice', async () => {
    const source = await addSender('github');
    const right = `sha256=${hmac(body)}`;
    const response = await new Promise((resolve, reject) => {
      const sent = request(ingress.url + source.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-Hub-Signature-256': [right, right] },
      });
      sent.on('response', (answer) => resolve(json(answer))).on('error', reject);
      sent.end(body);
    });
    expect(response).to.include({ status: 401, code: 'signature_invalid' });
    expect(response).to.have.property('detail').that.contains('sent twice');
  });

  it('use a change of the sender for the very next request', async () => {
    const source = await addSender('github');
    expect((await sendAs('github', source, upsertBody())).status).to.equal(200);
    await ingress.changeSource(source, { sender: senderOf('shopify') });
    expect((await sendAs('github', source, upsertBody())).body).to.include({ code: 'signature_missing' });
    expect((await sendAs('shopify', source, upsertBody())).status).to.equal(200);
  });

  it('accept the old pasted secret during an overlap, and mark its requests', async () => {
    const old = await addSender('stripe', 'an old secret of Stripe');
    const rotated = await ingress.rotate(old, Date.now() + HOUR_MS);
    expect((await sendAs('stripe', old, upsertBody())).status).to.equal(200);
    expect((await sendAs('stripe', rotated, upsertBody())).status).to.equal(200);
    expect((await actionsOf(old)).map((action) => action.signed_with)).to.deep.equal(['previous', undefined]);
    const ended = await ingress.rotate(rotated, null);
    const late = await sendAs('stripe', rotated, upsertBody());
    expect(late.body.detail).to.contain('secret that was rotated');
    expect((await sendAs('stripe', ended, upsertBody())).status).to.equal(200);
  });

  it('never store or log a token or a password', async () => {
    for (const preset of ['token', 'basic'] as const) {
      const secret = `canary-${preset}-${randomUUID()}`;
      const source = await addSender(preset, secret);
      expect((await sendAs(preset, source, upsertBody())).status).to.equal(200);
      expect((await sendAs(preset, source, { no: 'action' })).status).to.equal(400);
      const wrong = await sendAs(preset, { ...source, secret: `${secret}-wrong` }, upsertBody());
      expect(wrong.body.code).to.equal('signature_invalid');
      const everything = JSON.stringify([
        await ingress.enqueuedActions(),
        await ingress.enqueuedRefusals(),
        ingress.logLines,
        wrong.body,
      ]);
      for (const form of [secret, Buffer.from(`sluice:${secret}`).toString('base64').slice(0, 40)])
        expect(everything).not.to.contain(form);
    }
  });

  it('get 503 while this process is too old for their profile', async () => {
    const source = await ingress.addSource({
      sender: { preset: 'newer', verify: { kind: 'url_token' } as never },
    });
    expect((await postUpsert(ingress.url, source)).status).to.equal(503);
    expect(ingress.logLines.join('')).to.contain('unknown profile');
  });

  describe('duplicates', () => {
    const sequenceOf = async (source: TestSource) =>
      (await actionsOf(source)).map(({ sequence }) => sequence);

    it('are found by a signed id, also with a new time and signature', async () => {
      const source = await addSender('standard-webhooks');
      const first = await sendAs('standard-webhooks', source, upsertBody(), { id: 'msg_7' });
      const again = await sendAs('standard-webhooks', source, upsertBody(), {
        ...{ id: 'msg_7', nowMs: Date.now() - 60_000 },
      });
      expect([first.body.duplicate, again.body.duplicate]).to.deep.equal([undefined, true]);
      const [one, other] = await sequenceOf(source);
      expect(one).to.equal(other);
    });

    it('are found by an id in the signed body', async () => {
      const source = await addSender('stripe');
      const sent = { id: 'evt_1', ...upsertBody() };
      await sendAs('stripe', source, sent);
      const again = await sendAs('stripe', source, sent, { nowMs: Date.now() - 60_000 });
      expect(again.body.duplicate).to.equal(true);
    });

    it('are found by time and signature without an id, however the signature is written', async () => {
      const source = await addSender('stripe');
      const t = seconds();
      const mac = hmac(`${t}.${body}`);
      const first = await send(source, { 'Stripe-Signature': `t=${t},v1=${mac}` }, body);
      const again = await send(source, { 'Stripe-Signature': `t=${t},v0=1,v1=${mac.toUpperCase()}` }, body);
      expect([first.body.duplicate, again.body.duplicate]).to.deep.equal([undefined, true]);
    });

    it('are found by a signed body that says when the change was made', async () => {
      const source = await ingress.addSource({ sender: presetSender('cal-com') });
      await ingress.changeSource(source, { secret: PASTED });
      const pasted = { ...source, secret: PASTED };
      const dated = { ...sampleBody('cal-com', Date.now()) };
      const { createdAt: _, ...undated } = dated as Record<string, unknown>;
      const again = async (sent: object) => {
        await sendAs('cal-com', pasted, sent);
        return (await sendAs('cal-com', pasted, sent)).body.duplicate;
      };
      expect(await again(dated)).to.equal(true);
      expect(await again(undated)).to.equal(undefined);
      expect(await again({ ...dated, createdAt: '2030-01-01T09:00:00Z' })).to.equal(true);
    });

    it('are not looked for without id and time: two equal bodies may be two changes', async () => {
      const source = await addSender('github');
      const sent = upsertBody();
      await sendAs('github', source, sent);
      expect((await sendAs('github', source, sent)).body.duplicate).to.equal(undefined);
      expect(new Set(await sequenceOf(source)).size).to.equal(2);
    });
  });
});
