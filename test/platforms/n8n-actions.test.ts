import { expect } from 'chai';
import type { Execution } from './support/executions.ts';
import { runSluice, SLUICE } from './support/run-node.ts';
import { useN8n } from './support/use-n8n.ts';
import type { Credential } from './support/workflows.ts';

describe('n8n: the Sluice node', function () {
  this.timeout(180_000);
  const at = useN8n();
  let sourceApi: Credential;
  before(async () => {
    const { source } = at.account;
    sourceApi = await at.editor.addCredential('sluiceSourceApi', {
      endpointUrl: at.sluice.pipeline.urls[0] + source.path,
      signingSecret: source.secret,
    });
  });

  const run = (parameters: object) => runSluice(at, parameters, { sourceApi });
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
    const cleared = result(
      await lead('update', { leadId, fields: { name: '' }, clear: ['company', 'tags'] }),
    );
    expect(cleared).to.deep.include({ name: 'Ada Lovelace', company: null, tags: [] });
    const moved = result(await lead('move', { leadId, toStage: 'stg_contacted', moveNote: 'Called' }));
    expect(moved).to.include({ stage: 'stg_contacted' });
    const upserted = result(
      await lead('upsert', { matchOn: ['email'], fields: { email: 'ADA@example.com', phone: '+493012345' } }),
    );
    expect(upserted).to.include({ id: leadId, created: false });
    const found = await lead('getAll', { returnAll: true, filters: { q: 'lovel' } });
    expect(found.items[SLUICE]?.map(({ id }) => id)).to.deep.equal([leadId]);
  });

  it('sends an event to a source, signed, and cancels it', async () => {
    const event = { title: 'Fair', startsAt: '2030-04-01T08:00:00Z', location: 'Berlin' };
    const upsert = { resource: 'event', operation: 'upsert', ...event, eventFields: { price: 'Free' } };
    expect(result(await run(upsert))).to.include({ status: 'ok' });
    await at.sluice.pipeline.logged(at.account.source, 1);
    expect(result(await run({ resource: 'event', operation: 'cancel', ...event }))).to.have.property(
      'delivery_id',
    );
    await at.sluice.pipeline.logged(at.account.source, 2);
    const [stored] = await at.sluice.pipeline.events(at.account.source);
    expect(stored).to.deep.include({ title: 'Fair', price: 'Free', status: 'cancelled' });
  });
});
