import { expect } from 'chai';
import { n8nToolIsInstalled } from '../platforms/support/programs.ts';
import { reportNotRun } from '../support/report-not-run.ts';
import {
  type Json,
  loadN8nNodes,
  type StubbedNode,
  stubbedExecution,
  stubbedMenu,
} from './support/n8n-nodes.ts';

// Its install has 500 MB, so only a build that requires it installs it.
if (process.env.SLUICE_REQUIRE_N8N_TOOL || n8nToolIsInstalled()) describeNodes();
else reportNotRun('The requests of the n8n nodes', ["n8n's tool (npm run test:platforms installs it)"]);

function describeNodes() {
  describe('integrations: the node Sluice for n8n', function () {
    this.timeout(600_000);
    let built: ReturnType<typeof loadN8nNodes>;
    before(() => {
      built = loadN8nNodes();
    });

    const execute = async (node: StubbedNode) =>
      ((await new built.Sluice().execute.call(node))[0] ?? []).map(({ json }) => json);
    const failure = (node: StubbedNode) =>
      execute(node).then(
        () => new Error('no error'),
        (error: Error) => error,
      );
    const lead = (operation: string, more: Json = {}) => ({ resource: 'lead', operation, ...more });

    describe('a list', () => {
      const listing = (filters: Json, resource = 'lead') => {
        const node = stubbedExecution([{ resource, operation: 'getAll', filters, limit: 1 }]);
        node.reply = () => ({ body: { data: [{ id: 'lead_stranger' }], next_cursor: null } });
        return node;
      };

      it('finds nobody where a filter that names one has no value', async () => {
        for (const name of ['email', 'phone', 'external_id', 'lead_id'])
          for (const value of ['', ' ', null, undefined]) {
            const node = listing(
              { [name]: value, stage: 'stg_new' },
              name === 'lead_id' ? 'conversation' : 'lead',
            );
            expect(await execute(node), `${name} ${value}`).to.deep.equal([]);
            expect(node.sent).to.deep.equal([]);
          }
      });

      it('finds by one filter that names a person where another one has no value', async () => {
        const node = listing({ email: ' ada@example.com ', phone: '' });
        expect(await execute(node)).to.have.length(1);
        expect(node.sent[0]?.qs).to.deep.equal({ email: 'ada@example.com', limit: 1 });
      });

      it('finds all where another filter has no value', async () => {
        const node = listing({ q: '', stage: '', tag: 'fair', email: 'ada@example.com' });
        expect(await execute(node)).to.have.length(1);
        expect(node.sent[0]?.qs).to.deep.equal({ tag: 'fair', email: 'ada@example.com', limit: 1 });
      });

      it('reads a time without an offset as UTC in each zone of the n8n process', async () => {
        const zone = process.env.TZ;
        process.env.TZ = 'America/New_York';
        try {
          const expected = {
            '2027-05-01T00:00:00': '2027-05-01T00:00:00.000Z',
            '2027-05-01 00:00': '2027-05-01T00:00:00.000Z',
            '2027-05-01': '2027-05-01T00:00:00.000Z',
            '2027-05-01T00:00:00.000+02:00': '2027-04-30T22:00:00.000Z',
            yesterday: 'yesterday',
          };
          for (const [updated_since, instant] of Object.entries(expected)) {
            const node = listing({ updated_since });
            await execute(node);
            expect(node.sent[0]?.qs.updated_since).to.equal(instant);
          }
        } finally {
          if (zone === undefined) delete process.env.TZ;
          else process.env.TZ = zone;
        }
      });
    });

    it('rejects an empty ID, whose path would be that of the list', async () => {
      const operations = [
        lead('get', { leadId: '' }),
        lead('update', { leadId: null, fields: {} }),
        lead('move', { leadId: undefined, toStage: 'stg_new' }),
        { resource: 'conversation', operation: 'get', conversationId: ' ' },
        { resource: 'conversation', operation: 'getMessages', conversationId: '' },
        { resource: 'conversation', operation: 'reply', conversationId: '', text: 'Hello' },
      ];
      for (const one of operations) {
        const node = stubbedExecution([one]);
        expect((await failure(node)).message).to.match(/^The (Lead|Conversation) ID is empty$/);
        expect(node.sent).to.deep.equal([]);
      }
    });

    it('writes the tags of a text or a list, also of an empty list, keeps those of the lead without one, and rejects objects', async () => {
      const written = async (tags: unknown) => {
        const node = stubbedExecution([lead('create', { fields: { name: 'Ada', tags } })]);
        await execute(node);
        return node.sent[0]?.body?.tags;
      };
      expect(await written('fair, vip,')).to.deep.equal(['fair', 'vip']);
      expect(await written(['fair', ' 7 ', 8])).to.deep.equal(['fair', '7', '8']);
      expect(await written([])).to.deep.equal([]);
      for (const empty of ['', ' , ', [' '], null]) expect(await written(empty)).to.equal(undefined);
      for (const tags of [[{ name: 'fair' }], { name: 'fair' }, [null]]) {
        const node = stubbedExecution([lead('create', { fields: { name: 'Ada', tags } })]);
        expect((await failure(node)).message).to.match(/^A tag is not a text: /);
        expect(node.sent).to.deep.equal([]);
      }
    });

    describe('a change of a lead', () => {
      const bodyOf = async (operation: string, more: Json) => {
        const node = stubbedExecution([lead(operation, { leadId: 'lead_1', matchOn: ['email'], ...more })]);
        node.reply = ({ path }) => ({ body: path === '/leads/fields' ? [] : { id: 'lead_1' } });
        await execute(node);
        return node.sent.find(({ path }) => path !== '/leads/fields')?.body;
      };
      const texts = ['name', 'company', 'email', 'phone', 'external_id', 'note', 'stage', 'tags'];

      it('leaves each field alone that has no value', async () => {
        for (const operation of ['update', 'upsert', 'create'])
          for (const empty of ['', ' ', null, undefined]) {
            const field = [
              { key: 'city', value: empty },
              { key: 'vip', value: false },
            ];
            const fields = {
              ...Object.fromEntries(texts.map((name) => [name, empty])),
              ...{ custom: { field }, name: 'Ada' },
            };
            expect(await bodyOf(operation, { fields })).to.deep.equal({
              ...{ name: 'Ada', fields: { vip: false } },
            });
          }
      });

      it('clears the fields that were chosen, unless they have new values', async () => {
        const clear = ['company', 'tags', 'phone', 'fields.city', 'fields.vip'];
        const fields = { phone: '+493012345', custom: { field: [{ key: 'vip', value: true }] } };
        expect(await bodyOf('update', { clear, fields })).to.deep.equal({
          ...{ company: null, tags: null, phone: '+493012345', fields: { city: null, vip: true } },
        });
        expect(await bodyOf('update', { clear: ['note'] })).to.deep.equal({ note: null });
        expect(await bodyOf('update', { clear: ['fields.city'] })).to.deep.equal({ fields: { city: null } });
      });
    });

    it('offers each field to clear that can be empty', async () => {
      const node = stubbedMenu();
      const field = (key: string, read_only = false) => ({ key, label: `The ${key}`, read_only });
      node.reply = () => ({
        body: [field('name'), field('stage'), field('id', true), field('fields.city')],
      });
      const options = await new built.Sluice().methods.loadOptions.getClearableFields?.call(node);
      expect(options).to.deep.equal([
        { name: 'The name', value: 'name' },
        { name: 'The fields.city', value: 'fields.city' },
      ]);
    });

    it('sends each field of an event, also one that is none, and leaves out Recurring: No', async () => {
      const eventFields = { price: 'none', description: 'none', url: '', recurring: 'none' };
      const parameters = {
        resource: 'event',
        operation: 'upsert',
        title: 'Fair',
        startsAt: '2030-04-01T08:00:00',
      };
      const node = stubbedExecution([{ ...parameters, eventFields }]);
      await execute(node);
      expect(node.sent[0]?.body?.event).to.deep.equal({
        ...{ title: 'Fair', starts_at: '2030-04-01T08:00:00', price: 'none', description: 'none' },
      });
    });

    it('asks for the custom fields once for all items', async () => {
      const fields = { name: 'Ada', custom: { field: [{ key: 'budget', value: '1200' }] } };
      const node = stubbedExecution([1, 2, 3].map(() => lead('create', { fields })));
      node.reply = ({ path }) => ({
        body: path === '/leads/fields' ? [{ key: 'fields.budget', type: 'number' }] : { id: 'lead_1' },
      });
      await execute(node);
      expect(node.sent.filter(({ path }) => path === '/leads/fields')).to.have.length(1);
      const written = node.sent.filter(({ path }) => path === '/leads');
      expect(written.map(({ body }) => body?.fields)).to.deep.equal([1, 2, 3].map(() => ({ budget: 1200 })));
    });

    it('asks for the custom fields again after an item that could not read them', async () => {
      const fields = { name: 'Ada', custom: { field: [{ key: 'budget', value: '1200' }] } };
      const node = stubbedExecution([lead('create', { fields }), lead('create', { fields })], {
        continues: true,
      });
      const replies = [
        { statusCode: 500, body: { message: 'Something failed.' } },
        { body: [{ key: 'fields.budget', type: 'number' }] },
        { body: { id: 'lead_1' } },
      ];
      node.reply = () => replies[node.sent.length - 1] ?? {};
      expect(await execute(node)).to.deep.equal([{ error: 'Something failed.' }, { id: 'lead_1' }]);
    });

    it('fills the menus of sources and channels with all pages', async () => {
      for (const name of ['getSources', 'getChannels']) {
        const node = stubbedMenu();
        const all = Array.from({ length: 450 }, (_, n) => ({ id: `id_${n}`, name: `Name ${n}` }));
        node.reply = ({ qs }) => {
          const from = Number(qs.cursor ?? 0);
          const next = from + Number(qs.limit ?? 50);
          const page = { data: all.slice(from, next), next_cursor: next < all.length ? String(next) : null };
          return { body: page };
        };
        const options = (await new built.Sluice().methods.loadOptions[name]?.call(node)) ?? [];
        expect(options).to.have.length(450);
        expect(options.at(-1)).to.deep.equal({ name: 'Name 449', value: 'id_449' });
      }
    });

    it('waits for the first try of a step that is in progress, and then has its response', async () => {
      const node = stubbedExecution([lead('create', { fields: { name: 'Ada' } })]);
      const busy = { statusCode: 409, headers: { 'retry-after': '1' }, body: { message: 'In progress.' } };
      node.reply = () => (node.sent.length === 1 ? busy : { statusCode: 201, body: { id: 'lead_1' } });
      expect(await execute(node)).to.deep.equal([{ id: 'lead_1' }]);
      const taken = stubbedExecution([lead('create', { fields: { name: 'Ada' } })]);
      taken.reply = () => ({ statusCode: 409, body: { message: 'Taken.' } });
      expect((await failure(taken)).message).to.equal('Taken.');
      expect(taken.sent).to.have.length(1);
    });
  });
}
