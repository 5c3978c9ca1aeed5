import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { canInstallPackage } from '../platforms/support/packed.ts';
import {
  errorOf,
  loadZapierApp,
  type Operation,
  type Row,
  type Zapier,
} from '../platforms/support/zapier.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { type ApiStub, pagesOf, startApiStub } from './support/api-stub.ts';

const HOUR_SECONDS = 60 * 60;
const SUBSCRIPTION = {
  id: 'sub_1',
  target_url: 'https://hooks.zapier.com/1',
  events: ['lead.created'],
  ordered: false,
  filter: { source_id: null, channel_id: null, stage: null },
  client: { platform: 'zapier', workflow_name: null, workflow_url: null, mode: null },
};

if (canInstallPackage('zapier')) describeRequests();
else
  reportNotRun('The requests of the Zapier app', [
    'zapier-platform-core (npm run test:platforms installs it)',
  ]);

function describeRequests() {
  describe('integrations: the Zapier app and the API', function () {
    this.timeout(300_000);
    let zapier: Zapier;
    let api: ApiStub;
    let authData: Row;
    before(async () => {
      zapier = loadZapierApp();
      api = await startApiStub();
      authData = { base_url: api.url, api_key: 'slc_live_1' };
    });
    after(async () => {
      zapier?.remove();
      await api?.close();
    });
    beforeEach(() => {
      api.sent.length = 0;
    });

    const trigger = (name: string) => zapier.app.triggers[name]?.operation as Operation;
    const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

    describe('a hook', () => {
      const kept = newSecret();
      /** A hook as Zapier passes it on, signed with a secret. */
      const hookOf = ({ secret = kept, ageSeconds = 0, headers = {} as Row }) => {
        const content = JSON.stringify({ id: 'msg_1', type: 'lead.created', data: { id: 'lead_1' } });
        const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
        const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
          .update(`msg_1.${timestamp}.${content}`)
          .digest('base64');
        const signed = {
          'Http-Webhook-Id': 'msg_1',
          'Http-Webhook-Timestamp': String(timestamp),
          'Http-Webhook-Signature': `v1,${signature}`,
        };
        return { method: 'POST', headers: { ...signed, ...headers }, content };
      };
      const receive = (rawRequest: Row, subscribeData: Row = { id: 'sub_1', secret: kept }) =>
        zapier.run<Row[]>(trigger('lead_created').perform, { authData, subscribeData, rawRequest });
      /** Sluice, with this secret. */
      const answerWith = (secret: string, more: Row = { status: 'active' }) => {
        api.reply = ({ method }) => ({
          body: { ...SUBSCRIPTION, ...more, ...(method === 'POST' && { secret }) },
        });
      };

      it('starts the Zap, and asks for nothing while its secret is right', async () => {
        expect((await receive(hookOf({})))[0]).to.include({ id: 'msg_1' });
        expect(api.sent).to.deep.equal([]);
      });

      it('starts the Zap after a rotation, with the secret that Sluice returns', async () => {
        const secret = newSecret();
        answerWith(secret);
        expect((await receive(hookOf({ secret })))[0]).to.include({ id: 'msg_1' });
        expect(api.sent.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
          'GET /webhooks/sub_1',
          'POST /webhooks',
        ]);
        const { id: _, ...fields } = SUBSCRIPTION;
        expect(api.sent[1]?.body).to.deep.equal(fields);
        // An app that kept no secret asks too.
        expect(await receive(hookOf({ secret }), { id: 'sub_1' })).to.have.length(1);
      });

      it('starts the Zap after a rotation and a pause, and does not lift the pause', async () => {
        const secret = newSecret();
        for (const reason of ['by_admin', 'by_client']) {
          answerWith(secret, { status: 'paused', reason });
          expect(await receive(hookOf({ secret })), reason).to.have.length(1);
        }
        expect(api.sent.map(({ body }) => body?.active)).to.deep.equal([
          ...[undefined, undefined],
          ...[undefined, false],
        ]);
      });

      it('starts no Zap if another secret signed it, or if the subscription fails or was deleted', async () => {
        const secret = newSecret();
        answerWith(kept);
        expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
        api.sent.length = 0;
        answerWith(secret, { status: 'paused', reason: 'failing' });
        expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
        api.reply = () => ({ status: 404, body: { code: 'not_found', message: 'No such subscription.' } });
        expect((await errorOf(receive(hookOf({ secret })))).name).to.equal('HaltedError');
        expect(api.sent.map(({ method }) => method)).to.deep.equal(['GET', 'GET']);
      });

      it('asks once for a forged message, as nothing has changed since the Zap subscribed', async () => {
        const updated_at = '2027-05-01T10:00:00.000Z';
        const secret = newSecret();
        const forged = hookOf({ secret });
        const subscribeData = { id: 'sub_1', secret: kept, updated_at };
        answerWith(kept, { status: 'active', updated_at });
        expect((await errorOf(receive(forged, subscribeData))).name).to.equal('HaltedError');
        expect(api.sent.map(({ method }) => method)).to.deep.equal(['GET']);
        answerWith(secret, { status: 'active', updated_at: '2027-05-01T11:00:00.000Z' });
        expect(await receive(forged, subscribeData)).to.have.length(1);
      });

      it('asks for nothing without the form of a message', async () => {
        const secret = newSecret();
        const right = hookOf({ secret });
        const formless = [
          { ...right, content: 'no JSON' },
          { ...right, content: 'null' },
          { ...right, content: JSON.stringify({ id: 'msg_2' }) },
          hookOf({ secret, headers: { 'Http-Webhook-Id': undefined } }),
          hookOf({ secret, headers: { 'Http-Webhook-Signature': 'v1,short' } }),
          hookOf({ secret, headers: { 'Http-Webhook-Signature': undefined } }),
        ];
        for (const one of formless) expect((await errorOf(receive(one))).name).to.equal('HaltedError');
        expect(api.sent).to.deep.equal([]);
      });

      it('shows why Sluice does not return the secret', async () => {
        api.reply = () => ({ status: 401, body: { code: 'key_revoked', message: 'The key was revoked.' } });
        expect((await errorOf(receive(hookOf({ secret: newSecret() })))).name).to.equal('ExpiredAuthError');
      });

      it('starts the Zap after Zapier held it back for hours, but not for more than a day', async () => {
        const held = await receive(hookOf({ ageSeconds: 23 * HOUR_SECONDS }));
        expect(held[0]).to.include({ id: 'msg_1' });
        const error = await errorOf(receive(hookOf({ ageSeconds: 25 * HOUR_SECONDS })));
        expect(error).to.include({ name: 'HaltedError' });
        expect(error.message).to.match(/more than a day old/);
        expect(api.sent).to.deep.equal([]);
      });

      it('starts no Zap if it is a test with a made-up record', async () => {
        expect(await receive(hookOf({ headers: { 'Http-Webhook-Test': '1' } }))).to.deep.equal([]);
      });
    });

    it('deletes the subscription by URL if Zapier lost its id', async () => {
      api.reply = () => ({ status: 204 });
      const targetUrl = 'https://hooks.zapier.com/1';
      await zapier.run(trigger('lead_created').performUnsubscribe, {
        authData,
        targetUrl,
        subscribeData: {},
      });
      expect(api.sent).to.have.length(1);
      expect(api.sent[0]).to.deep.include({ method: 'DELETE', path: '/webhooks', query: { url: targetUrl } });
    });

    it('keeps what Sluice returned when it switches on', async () => {
      api.reply = () => ({ status: 201, body: { ...SUBSCRIPTION, secret: 's', updated_at: 'now' } });
      const { targetUrl, ...bundle } = { authData, inputData: {}, targetUrl: SUBSCRIPTION.target_url };
      const kept = await zapier.run(trigger('lead_created').performSubscribe, { ...bundle, targetUrl });
      expect(kept).to.deep.equal({ id: 'sub_1', secret: 's', updated_at: 'now' });
    });

    it('offers each field to clear that can be empty', async () => {
      const field = (key: string, read_only = false) => ({ key, label: `The ${key}`, read_only });
      api.reply = () => ({ body: [field('name'), field('stage'), field('id', true), field('fields.city')] });
      const menu = await zapier.run<Row[]>(trigger('clearable_fields').perform, { authData, inputData: {} });
      expect(menu).to.deep.equal([
        { id: 'name', name: 'The name' },
        { id: 'fields.city', name: 'The fields.city' },
      ]);
    });

    it('fills the menus of sources and channels with all pages', async () => {
      for (const name of ['sources', 'channels']) {
        api.reply = pagesOf(name);
        const menu = await zapier.run<Row[]>(trigger(name).perform, { authData, inputData: {} });
        expect(menu).to.have.length(450);
        expect(menu.at(-1)).to.deep.equal({ id: `${name}_449`, name: `${name} 449` });
      }
    });

    describe('a search', () => {
      const search = (name: string, inputData: Row, inputDataRaw?: Row) =>
        zapier.run<Row[]>(zapier.app.searches[name]?.operation.perform, {
          ...{ authData, inputData },
          ...(inputDataRaw && { inputDataRaw }),
        });
      beforeEach(() => {
        api.reply = () => ({ body: { data: [{ id: 'lead_stranger' }], next_cursor: null } });
      });

      it('finds nobody where the field that names one came out empty', async () => {
        const email = '{{1__email}}';
        expect(await search('find_lead', { email: '', stage: 'stg_new' })).to.deep.equal([]);
        expect(await search('find_lead', { tag: 'fair' }, { email, tag: 'fair' })).to.deep.equal([]);
        expect(await search('find_lead', {}, { email })).to.deep.equal([]);
        expect(await search('find_lead', { tag: 'fair' }, { lead_id: email, tag: 'fair' })).to.deep.equal([]);
        const status = 'open';
        const raw = { lead_id: '{{1__lead}}', status };
        expect(await search('find_conversation', { status }, raw)).to.deep.equal([]);
        expect(api.sent).to.deep.equal([]);
      });

      it('finds by another field that names one, and by the others where none was mapped', async () => {
        const raw = { email: 'ada@example.com', phone: '{{1__phone}}' };
        await search('find_lead', { email: 'ada@example.com', phone: '' }, raw);
        await search('find_lead', { stage: 'stg_new', email: '' }, { stage: 'stg_new', email: '' });
        expect(api.sent.map(({ query }) => query)).to.deep.equal([
          { email: 'ada@example.com', limit: '25' },
          { stage: 'stg_new', limit: '25' },
        ]);
      });
    });

    describe('a write', () => {
      const create = (name: string, inputData: Row) =>
        zapier.run(zapier.app.creates[name]?.operation.perform, {
          authData,
          inputData,
          meta: { zap: { id: '7' } },
        });
      const keys = () => api.sent.map(({ headers }) => headers['idempotency-key']);

      it('has a key if no field finds the lead, so that a repeat creates no second one', async () => {
        api.reply = () => ({ status: 201, body: { id: 'lead_1' } });
        await create('upsert_lead', { name: 'Ada' });
        await create('upsert_lead', { name: 'Ada' });
        await create('upsert_lead', { name: 'Ada', run_id: 'msg_2' });
        await create('upsert_lead', { name: 'Ada', phone: '1', match_on: ['email'] });
        await create('upsert_lead', { name: 'Ada', email: 'ada@example.com' });
        const [first, again, otherRun, unmatched, matched] = keys();
        expect(first).to.match(/^zapier:7:upsert_lead:/);
        expect(again).to.equal(first);
        expect(new Set([first, otherRun, unmatched]).size).to.equal(3);
        expect(matched).to.equal(undefined);
      });

      it('leaves each field alone that has no value, and clears those that were chosen', async () => {
        api.reply = () => ({ body: { id: 'lead_1' } });
        const texts = ['name', 'company', 'email', 'phone', 'external_id', 'note', 'stage', 'fields.city'];
        const lead_id = 'lead_1';
        for (const empty of ['', ' ', null, undefined])
          for (const name of ['update_lead', 'upsert_lead']) {
            const fields = Object.fromEntries(texts.map((text) => [text, empty]));
            const tags = [empty, empty];
            await create(name, { lead_id, ...fields, tags, company: 'Acme', 'fields.vip': false });
            expect(api.sent.at(-1)?.body).to.deep.equal({ company: 'Acme', fields: { vip: false } });
          }
        const clear = ['phone', 'tags', 'company', 'fields.city', 'fields.vip'];
        await create('update_lead', { lead_id, clear, company: 'Acme', 'fields.vip': true });
        expect(api.sent.at(-1)?.body).to.deep.equal({
          ...{ phone: null, tags: null, company: 'Acme', fields: { city: null, vip: true } },
        });
      });

      it('waits while its first try is in progress', async () => {
        const body = { code: 'idempotency_in_progress', message: 'The first request is still in progress.' };
        api.reply = () => ({ status: 409, headers: { 'Retry-After': '1' }, body });
        const error = await errorOf(create('create_lead', { name: 'Ada' }));
        expect(error).to.include({ name: 'ThrottledError', message: body.message, delay: 1 });
        api.reply = () => ({ status: 409, body: { code: 'external_id_taken', message: 'Taken.' } });
        expect(await errorOf(create('create_lead', { name: 'Ada' }))).to.include({
          name: 'AppError',
          status: 409,
        });
      });
    });
  });
}
