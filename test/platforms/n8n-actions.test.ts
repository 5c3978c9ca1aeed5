import { expect } from 'chai';
import { until } from '../support/until.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { type N8n, startN8n } from './support/n8n.ts';
import { type Credential, createEditor, type Execution } from './support/workflows.ts';

const WEBHOOK = 'Webhook';
const SLUICE = 'Sluice';

describe('n8n: the Sluice node', function () {
  this.timeout(900_000);
  let sluice: Installation;
  let n8n: N8n;
  let editor: ReturnType<typeof createEditor>;
  let key: string;
  let api: Credential;
  let sourceApi: Credential;
  before(async () => {
    [sluice, n8n] = await Promise.all([startInstallation(), startN8n()]);
    editor = createEditor(n8n);
    key = await sluice.addKey();
    api = await editor.addCredential('sluiceApi', { baseUrl: `${sluice.apiUrl}/`, apiKey: key });
    const { source, pipeline } = sluice;
    sourceApi = await editor.addCredential('sluiceSourceApi', {
      endpointUrl: pipeline.urls[0] + source.path,
      signingSecret: source.secret,
    });
  });
  after(async () => {
    await n8n?.remove();
    await sluice?.stop();
  });

  /** Runs the node once, in a published workflow that a webhook starts. */
  async function run(parameters: object, using: Credential = api): Promise<Execution> {
    const workflow = await editor.addWorkflow([
      {
        name: WEBHOOK,
        type: 'n8n-nodes-base.webhook',
        typeVersion: 2,
        parameters: { path: crypto.randomUUID(), httpMethod: 'POST', responseMode: 'lastNode' },
      },
      {
        name: SLUICE,
        type: 'n8n-nodes-sluice.sluice',
        typeVersion: 1,
        parameters,
        credentials: { sluiceApi: using, sluiceSourceApi: sourceApi },
      },
    ]);
    await editor.publish(workflow);
    const url = `${n8n.url}/webhook/${await editor.webhookPath(workflow, WEBHOOK)}`;
    // 404: n8n has answered the request to publish, and registers the webhook now.
    await until(async () => (await fetch(url, { method: 'POST' })).status !== 404);
    const [execution] = await editor.executed(workflow, 1);
    await editor.unpublish(workflow);
    return execution as Execution;
  }
  const lead = (operation: string, more: object) => run({ resource: 'lead', operation, ...more });
  const result = ({ items, error }: Execution) => {
    expect(error?.message).to.equal(undefined);
    return items[SLUICE]?.[0] as Record<string, unknown>;
  };

  it('creates, reads, changes, moves and finds a lead', async () => {
    const created = result(
      await lead('create', { fields: { name: 'Ada Lovelace', email: 'ada@example.com', tags: 'fair, vip' } }),
    );
    expect(created).to.include({ name: 'Ada Lovelace', stage: 'stg_new' });
    expect(created.tags).to.deep.equal(['fair', 'vip']);
    const leadId = created.id;
    expect(result(await lead('get', { leadId }))).to.include({ email: 'ada@example.com' });
    const updated = result(await lead('update', { leadId, fields: { company: 'Analytical Engines' } }));
    expect(updated).to.include({ company: 'Analytical Engines', name: 'Ada Lovelace' });
    const moved = result(await lead('move', { leadId, toStage: 'stg_contacted', moveNote: 'Called' }));
    expect(moved).to.include({ stage: 'stg_contacted' });
    const upserted = result(
      await lead('upsert', { matchOn: ['email'], fields: { email: 'ADA@example.com', phone: '+493012345' } }),
    );
    expect(upserted).to.include({ id: leadId, created: false });
    const found = await lead('getAll', { returnAll: true, filters: { q: 'lovel' } });
    expect(found.items[SLUICE]?.map(({ id }) => id)).to.deep.equal([leadId]);
  });

  it('returns all leads, also more than one page has', async () => {
    const emails = Array.from({ length: 230 }, (_, index) => `many${index}@example.com`);
    for (const email of emails) await sluice.call(key, 'POST', '/leads', { email, tags: ['many'] });
    const all = await lead('getAll', { returnAll: true, filters: { tag: 'many' } });
    expect(all.items[SLUICE]?.map(({ email }) => email).sort()).to.deep.equal([...emails].sort());
    const some = await lead('getAll', { returnAll: false, limit: 7, filters: { tag: 'many' } });
    expect(some.items[SLUICE]).to.have.length(7);
  });

  it('shows the sentence of a rejection, not a status code', async () => {
    const { error } = await lead('create', { fields: { email: 'not an address' } });
    expect(`${error?.message} ${error?.description}`).to.match(/email/);
    expect(error?.message).not.to.match(/status code/i);
    const apiKey = await sluice.addKey(['webhooks']);
    const weak = await editor.addCredential('sluiceApi', { baseUrl: sluice.apiUrl, apiKey });
    const refused = await run({ resource: 'lead', operation: 'getAll' }, weak);
    expect(refused.error?.message).to.match(/read:leads/);
  });

  it('sends an event to a source, signed, and cancels it', async () => {
    const event = { title: 'Fair', startsAt: '2030-04-01T08:00:00Z', location: 'Berlin' };
    const upsert = { resource: 'event', operation: 'upsert', ...event, eventFields: { price: 'Free' } };
    expect(result(await run(upsert))).to.include({ status: 'ok' });
    await sluice.pipeline.logged(sluice.source, 1);
    expect(result(await run({ resource: 'event', operation: 'cancel', ...event }))).to.have.property(
      'delivery_id',
    );
    await sluice.pipeline.logged(sluice.source, 2);
    const [stored] = await sluice.pipeline.events(sluice.source);
    expect(stored).to.deep.include({ title: 'Fair', price: 'Free', status: 'cancelled' });
  });

  it('says at the test of a credential whether the key, the URL and the secret are right', async () => {
    const test = async (type: string, data: object) =>
      n8n.rest<{ status: string; message: string }>('POST', '/credentials/test', {
        credentials: { id: '', name: 'Test', type, data },
      });
    const { source, pipeline, apiUrl } = sluice;
    const endpointUrl = pipeline.urls[0] + source.path;
    expect(await test('sluiceApi', { baseUrl: apiUrl, apiKey: key })).to.include({ status: 'OK' });
    expect(await test('sluiceApi', { baseUrl: apiUrl, apiKey: 'slc_live_wrong' })).to.include({
      status: 'Error',
    });
    expect(await test('sluiceSourceApi', { endpointUrl, signingSecret: source.secret })).to.include({
      status: 'OK',
    });
    const wrong = await test('sluiceSourceApi', { endpointUrl, signingSecret: 'whsec_wrong' });
    expect(wrong).to.deep.include({ status: 'Error' });
    expect(wrong.message).to.match(/signing secret is wrong/);
  });
});
