import { expect } from 'chai';
import { canInstallPackage } from '../platforms/support/packed.ts';
import { errorOf, type Row } from '../platforms/support/zapier.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import { pagesOf } from './support/api-stub.ts';
import { useZapier } from './support/use-zapier.ts';
import { SUBSCRIPTION } from './support/zapier-subscription.ts';

if (canInstallPackage('zapier')) describeRequests();
else
  reportNotRun('The requests of the Zapier app', [
    'zapier-platform-core (npm run test:platforms installs it)',
  ]);

function describeRequests() {
  describe('integrations: the Zapier app and the API', function () {
    this.timeout(300_000);
    const { used, trigger } = useZapier();

    describe('the test of a connection', () => {
      const test = () =>
        used.zapier.run<Row>(used.zapier.app.authentication.test, { authData: used.authData });

      it('succeeds at Sluice', async () => {
        const body = {
          account: { id: 'acc_1', name: 'Acme' },
          key: { id: 'key_1', name: 'Zapier', prefix: 'slc_live_a' },
        };
        used.api.reply = () => ({ body });
        expect(await test()).to.deep.equal(body);
      });

      it('fails at a service that is not Sluice, although it responds with 200', async () => {
        for (const body of [null, {}, [], 'ok', { account: null }, { account: { id: '1', name: 'Acme' } }]) {
          used.api.reply = () => ({ body });
          expect((await errorOf(test())).message).to.match(/^No Sluice API server responds/);
        }
      });

      it('follows no redirect', async () => {
        used.api.reply = () => ({ status: 307, headers: { Location: `${used.api.url}/elsewhere` } });
        expect((await errorOf(test())).message).to.match(/^The base URL redirects to another address\./);
        expect(used.api.sent).to.have.length(1);
      });
    });

    it('deletes the subscription by URL if Zapier lost its id', async () => {
      used.api.reply = () => ({ status: 204 });
      const targetUrl = 'https://hooks.zapier.com/1';
      await used.zapier.run(trigger('lead_created').performUnsubscribe, {
        authData: used.authData,
        targetUrl,
        subscribeData: {},
      });
      expect(used.api.sent).to.have.length(1);
      expect(used.api.sent[0]).to.deep.include({
        method: 'DELETE',
        path: '/webhooks',
        query: { url: targetUrl },
      });
    });

    it('keeps what Sluice returned when it switches on', async () => {
      used.api.reply = () => ({ status: 201, body: { ...SUBSCRIPTION, secret: 's', updated_at: 'now' } });
      const { targetUrl, ...bundle } = {
        authData: used.authData,
        inputData: {},
        targetUrl: SUBSCRIPTION.target_url,
      };
      const kept = await used.zapier.run(trigger('lead_created').performSubscribe, { ...bundle, targetUrl });
      expect(kept).to.deep.equal({ id: 'sub_1', secret: 's', updated_at: 'now' });
    });

    it('offers each field to clear that can be empty', async () => {
      const field = (key: string, read_only = false) => ({ key, label: `The ${key}`, read_only });
      used.api.reply = () => ({
        body: [field('name'), field('stage'), field('id', true), field('fields.city')],
      });
      const menu = await used.zapier.run<Row[]>(trigger('clearable_fields').perform, {
        authData: used.authData,
        inputData: {},
      });
      expect(menu).to.deep.equal([
        { id: 'name', name: 'The name' },
        { id: 'fields.city', name: 'The fields.city' },
      ]);
    });

    it('fills the menus of sources and channels with all pages', async () => {
      for (const name of ['sources', 'channels']) {
        used.api.reply = pagesOf(name);
        const menu = await used.zapier.run<Row[]>(trigger(name).perform, {
          authData: used.authData,
          inputData: {},
        });
        expect(menu).to.have.length(450);
        expect(menu.at(-1)).to.deep.equal({ id: `${name}_449`, name: `${name} 449` });
      }
    });

    describe('a search', () => {
      const search = (name: string, inputData: Row, inputDataRaw?: Row) =>
        used.zapier.run<Row[]>(used.zapier.app.searches[name]?.operation.perform, {
          ...{ authData: used.authData, inputData },
          ...(inputDataRaw && { inputDataRaw }),
        });
      beforeEach(() => {
        used.api.reply = () => ({ body: { data: [{ id: 'lead_stranger' }], next_cursor: null } });
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
        expect(used.api.sent).to.deep.equal([]);
      });

      it('finds by another field that names one, and by the others where none was mapped', async () => {
        const raw = { email: 'ada@example.com', phone: '{{1__phone}}' };
        await search('find_lead', { email: ' ada@example.com ', phone: '' }, raw);
        await search('find_lead', { stage: 'stg_new', email: '' }, { stage: 'stg_new', email: '' });
        expect(used.api.sent.map(({ query }) => query)).to.deep.equal([
          { email: 'ada@example.com', limit: '25' },
          { stage: 'stg_new', limit: '25' },
        ]);
      });
    });

    describe('a write', () => {
      const create = (name: string, inputData: Row) =>
        used.zapier.run(used.zapier.app.creates[name]?.operation.perform, {
          authData: used.authData,
          inputData,
          meta: { zap: { id: '7' } },
        });
      const keys = () => used.api.sent.map(({ headers }) => headers['idempotency-key']);

      it('has a key if no field finds the lead, so that a repeat creates no second one', async () => {
        used.api.reply = () => ({ status: 201, body: { id: 'lead_1' } });
        await create('upsert_lead', { name: 'Ada' });
        await create('upsert_lead', { name: 'Ada' });
        await create('upsert_lead', { name: 'Ada', run_id: 'msg_2' });
        await create('upsert_lead', { name: 'Ada', phone: '1', match_on: ['email'] });
        await create('upsert_lead', { name: 'Ada', email: 'ada@example.com' });
        await create('upsert_lead', { name: 'Ada', phone: 'none' });
        await create('upsert_lead', { name: 'Ada', phone: '000' });
        await create('upsert_lead', { name: 'Ada', phone: '+49 30 12345' });
        const [first, again, otherRun, unmatched, matched, unreadable, zeros, numbered] = keys();
        expect(first).to.match(/^zapier:7:upsert_lead:/);
        expect(again).to.equal(first);
        expect(new Set([first, otherRun, unmatched, unreadable, zeros]).size).to.equal(5);
        expect([unreadable, zeros]).not.to.include(undefined);
        expect([matched, numbered]).to.deep.equal([undefined, undefined]);
      });

      it('leaves each field alone that has no value, and clears those that were chosen', async () => {
        used.api.reply = () => ({ body: { id: 'lead_1' } });
        const texts = ['name', 'company', 'email', 'phone', 'external_id', 'note', 'stage', 'fields.city'];
        const lead_id = 'lead_1';
        for (const empty of ['', ' ', null, undefined])
          for (const name of ['update_lead', 'upsert_lead']) {
            const fields = Object.fromEntries(texts.map((text) => [text, empty]));
            const tags = [empty, empty];
            await create(name, { lead_id, ...fields, tags, company: 'Acme', 'fields.vip': false });
            expect(used.api.sent.at(-1)?.body).to.deep.equal({ company: 'Acme', fields: { vip: false } });
          }
        const clear = ['phone', 'tags', 'company', 'fields.city', 'fields.vip'];
        await create('update_lead', { lead_id, clear, company: 'Acme', 'fields.vip': true });
        expect(used.api.sent.at(-1)?.body).to.deep.equal({
          ...{ phone: null, tags: null, company: 'Acme', fields: { city: null, vip: true } },
        });
      });

      it('waits while its first try is in progress', async () => {
        const body = { code: 'idempotency_in_progress', message: 'The first request is still in progress.' };
        used.api.reply = () => ({ status: 409, headers: { 'Retry-After': '1' }, body });
        const error = await errorOf(create('create_lead', { name: 'Ada' }));
        expect(error).to.include({ name: 'ThrottledError', message: body.message, delay: 1 });
        used.api.reply = () => ({ status: 409, body: { code: 'external_id_taken', message: 'Taken.' } });
        expect(await errorOf(create('create_lead', { name: 'Ada' }))).to.include({
          name: 'AppError',
          status: 409,
        });
      });
    });
  });
}
