import { pauseForKey } from '@sluice/outbound/subscriptions/pause-for-key';
import { expect } from 'chai';
import { expectFailure, useInstallation } from './support.ts';
import { useSubscriptions } from './use-subscriptions.ts';

const HOOK = 'http://127.0.0.1:8999';

describe('sluice webhook', () => {
  const used = useInstallation();
  const at = useSubscriptions(used);
  let accountId: string;
  let last = 0;
  const newUrl = () => `${HOOK}/${++last}`;
  const create = async (options: string) => {
    const [made] = await used.json(`webhook create ${options}`);
    return { made: made ?? {}, id: String(made?.id) };
  };
  /** The subscription of a key, as the API creates it. */
  const ofKey = async (client?: { readonly platform: string; readonly workflow_name?: string }) => {
    const [key] = await used.json('key create --name n8n --scopes webhooks');
    const keyId = String(key?.key_id);
    const { subscription_id: id, target_url: url } = await at.subscribe(keyId, client);
    return { keyId, id, url };
  };

  before(async () => {
    used.env.OUTBOUND_PRIVATE_NETWORKS = 'true';
    accountId = String((await used.json('account create --name Hall'))[0]?.account_id);
  });
  afterEach(async () => {
    for (const one of await used.store.subscriptions.listSubscriptions(accountId))
      await used.store.subscriptions.removeSubscription(one);
  });

  it('subscribes a URL for the account, and prints the secret of Standard Webhooks', async () => {
    const { made, id } = await create(
      `--url ${HOOK}/a --events lead.created,lead.stage_changed --name Slack --ordered --stage stg_won`,
    );
    expect(id).to.match(/^sub_/);
    expect(made).to.include({ target_url: `${HOOK}/a`, name: 'Slack', ordered: true, status: 'active' });
    expect(made).to.include({ account_id: accountId, key_id: null });
    expect(made).to.deep.include({ events: ['lead.created', 'lead.stage_changed'] });
    expect(made).to.have.nested.property('filter.stage', 'stg_won');
    expect(made.secret).to.match(/^whsec_[A-Za-z0-9+/]{64}$/);
    expect(await at.publishedOf(id)).to.include({ target_url: `${HOOK}/a`, paused: null });
  });

  it('accepts the name of a stage as its id, and clears it by an empty one', async () => {
    const { made, id } = await create(`--url ${newUrl()} --events lead.created --stage won`);
    expect(made).to.have.nested.property('filter.stage', 'stg_won');
    const update = (stage: string) => used.json(`webhook update ${id} --stage ${stage}`);
    expect((await update('Lost'))[0]).to.have.nested.property('filter.stage', 'stg_lost');
    const unknown = await used.run(`webhook update ${id} --stage Wonn`);
    expect([unknown.code, unknown.stderr]).to.deep.equal([
      2,
      'sluice: No stage is named "Wonn". The stages are New, Contacted, Qualified, Won, Lost.\n',
    ]);
    const [cleared] = await update('');
    expect(cleared).to.have.nested.property('filter.stage', null);
  });

  it('prints the same subscription and secret for the same URL again, with the new events', async () => {
    const url = newUrl();
    const { made, id } = await create(`--url ${url} --events lead.created`);
    const again = await used.run(`webhook create --url ${url} --events * --json`);
    expect(again.rows[0]).to.deep.include({ id, secret: made.secret, events: ['*'] });
    expect(again.stderr).to.contain('subscribed already');
  });

  it('lists and shows subscriptions with the state of their receivers, and never a secret', async () => {
    const { id } = await create(`--url ${newUrl()} --events lead.created`);
    const { id: test } = await create(`--url ${HOOK}/webhook-test/x --events lead.created`);
    const listed = await used.run('webhook list --json');
    expect(listed.rows.map((row) => row.id)).to.deep.equal([id]);
    expect(listed.rows[0]).to.include({ waiting: 0, success_ratio: null, next_attempt_at: null });
    const all = await used.json('webhook list --include-tests');
    expect(all.map((row) => row.id)).to.deep.equal([id, test]);
    expect(await used.json(`webhook show ${id}`)).to.deep.equal(listed.rows);
    expect(listed.stdout).to.not.contain('whsec_');
    expect((await used.run('webhook list')).stdout).to.match(/^ID +STATUS +REASON +EVENTS/);
  });

  it('lists the workflow of a subscription without a name', async () => {
    await ofKey({ platform: 'n8n', workflow_name: 'New leads to Slack' });
    expect((await used.run('webhook list')).stdout).to.include('New leads to Slack');
    expect((await used.json('webhook list'))[0]).to.include({ name: null });
  });

  it('names the option of the command for a value that is wrong', async () => {
    const source = 'a'.repeat(300);
    const done = await used.run(`webhook create --url ${newUrl()} --events lead.created --source ${source}`);
    expect(done.code).to.equal(2);
    expect(done.stderr).to.include('--source: Longer than');
  });

  it('changes what is named and keeps the rest', async () => {
    const { id } = await create(`--url ${newUrl()} --events lead.created --name Old --stage stg_won`);
    const url = newUrl();
    const [changed] = await used.json(`webhook update ${id} --url ${url} --stage= --ordered`);
    expect(changed).to.deep.include({
      target_url: url,
      events: ['lead.created'],
      name: 'Old',
      ordered: true,
    });
    expect(changed).to.have.nested.property('filter.stage', null);
    expect((await at.publishedOf(id))?.target_url).to.equal(url);
    const nothing = await used.run(`webhook update ${id}`);
    expect(nothing).to.include({ code: 2, stdout: '' });
  });

  it('pauses and resumes a subscription, for dispatchers before it ends', async () => {
    const { id } = await create(`--url ${newUrl()} --events lead.created`);
    expect((await used.json(`webhook pause ${id}`))[0]).to.include({ status: 'paused', reason: 'by_admin' });
    expect((await at.publishedOf(id))?.paused).to.equal('by_admin');
    expect((await used.json(`webhook resume ${id}`))[0]).to.include({ status: 'active', reason: null });
    expect((await at.publishedOf(id))?.paused).to.equal(null);
  });

  it('adopts the subscription of a revoked key, and of no other', async () => {
    const { keyId, id } = await ofKey();
    const early = await used.run(`webhook adopt ${id}`);
    expectFailure(early, 1, `Its API key ${keyId} still works`);
    await pauseForKey(at.deps, keyId, 'key_revoked');
    const resumed = await used.run(`webhook resume ${id}`);
    expectFailure(resumed, 1, `sluice webhook adopt ${id}`);
    expect((await used.json(`webhook adopt ${id}`))[0]).to.include({ status: 'active', key_id: null });
    expect((await at.publishedOf(id))?.paused).to.equal(null);
  });

  it('deletes a subscription, after which it is unknown', async () => {
    const { id } = await create(`--url ${newUrl()} --events lead.created`);
    expect(await used.json(`webhook delete ${id}`)).to.deep.equal([{ id, status: 'deleted' }]);
    expect(await at.publishedOf(id)).to.equal(undefined);
    for (const verb of ['show', 'delete', 'pause', 'rotate-secret', 'deliveries']) {
      const done = await used.run(`webhook ${verb} ${id}`);
      expectFailure(done, 1, `There is no webhook subscription ${id}`);
    }
  });

  it('rotates the secret with an overlap, in which both sign', async () => {
    const { made, id } = await create(`--url ${newUrl()} --events lead.created`);
    const [rotated] = await used.json(`webhook rotate-secret ${id} --overlap 1h`);
    expect(rotated?.secret)
      .to.match(/^whsec_/)
      .and.not.equal(made.secret);
    for (const none of ['none', '0']) {
      expect((await at.publishedOf(id))?.secrets).to.have.length(2);
      await used.json(`webhook rotate-secret ${id} --overlap ${none}`);
      expect((await at.publishedOf(id))?.secrets).to.have.length(1);
      await used.json(`webhook rotate-secret ${id} --overlap 1h`);
    }
  });

  it('says at a rotation what n8n and Zapier do with the new secret', async () => {
    const { id } = await ofKey({ platform: 'zapier' });
    const done = await used.run(`webhook rotate-secret ${id} --json`);
    expect(done.rows).to.have.length(1);
    expect(done.stderr).to.contain('Zapier asks for the new secret at each message.');
    const other = await ofKey();
    expect((await used.run(`webhook rotate-secret ${other.id} --json`)).stderr).to.equal('');
  });

  it('records every change in the audit log, with the host of the URL alone', async () => {
    const { id } = await create(`--url ${HOOK}/token-in-the-path --events lead.created`);
    for (const verb of ['pause', 'resume', 'rotate-secret', 'delete'])
      await used.json(`webhook ${verb} ${id}`);
    const { items } = await used.store.auditLog.pageEntries({ account_id: accountId, limit: 100 });
    const own = items.filter(({ target }) => target.id === id);
    expect(own.map(({ action }) => action).reverse()).to.deep.equal([
      'webhook.created',
      'webhook.paused',
      'webhook.resumed',
      'webhook.secret_rotated',
      'webhook.deleted',
    ]);
    expect(JSON.stringify(own)).to.not.contain('token-in-the-path');
  });

  for (const [args, code, about] of [
    [`create --url ${HOOK}/x --events lead.invented`, 2, '"lead.invented" is not an event kind'],
    ['create --url ftp://hooks.example.com --events *', 2, '--url: '],
    [`create --url ${HOOK}/x`, 2, 'Add --events KINDS, such as --events lead.created'],
    ['create --events *', 2, 'Add --url URL'],
    [`create --url ${HOOK}/x --events * --stage Wonn`, 2, 'No stage is named "Wonn". The stages are New,'],
    [`create --url ${HOOK}/x --events * --account nobody`, 1, 'There is no account nobody'],
    ['update sub_none --events *', 1, 'There is no webhook subscription sub_none'],
    ['test sub_none', 1, 'There is no webhook subscription sub_none'],
    ['recover sub_none --since yesterday', 2, 'ISO 8601'],
    ['redeliver sub_none msg_none', 1, 'There is no webhook subscription sub_none'],
  ] as const)
    it(`rejects webhook ${args}, and says what to do`, async () => {
      const done = await used.run(`webhook ${args} --json`);
      expectFailure(done, code, about);
    });

  it('refuses a private address unless OUTBOUND_ALLOW lists it', async () => {
    const env = { OUTBOUND_PRIVATE_NETWORKS: 'false' };
    const done = await used.run(`webhook create --url https://127.0.0.1/x --events *`, { env });
    expect(done).to.include({ code: 2, stdout: '' });
    expect(done.stderr)
      .to.contain('private or special network')
      .and.contain('This command reads it too: OUTBOUND_ALLOW=host sluice');
    const allowing = { ...env, OUTBOUND_ALLOW: '127.0.0.0/8' };
    const made = await used.run(`webhook create --url http://127.0.0.1/x --events *`, { env: allowing });
    expect(made.code, made.stderr).to.equal(0);
  });
});
