import type { SubscriptionRecord } from '@sluice/contract/subscription/subscription';
import { expect } from 'chai';
import { addKey } from '../support/api-processes.ts';
import type { TestSource } from '../support/ingress.ts';
import { changeEvent, erasePending, refuse } from '../support/source-changes.ts';
import { changeLead, endConversation, handOver } from './support/changes.ts';
import { type Hook, type Hooks, startHooks } from './support/hooks.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { shapeOf } from './support/shape.ts';
import {
  type Bundle,
  errorOf,
  loadZapierApp,
  type Operation,
  type Row,
  type Zapier,
} from './support/zapier.ts';

const zapier: Zapier = loadZapierApp();
const HOOKS = Object.values(zapier.app.triggers).filter(({ operation }) => operation.type === 'hook');

describe('zapier: the triggers', function () {
  this.timeout(300_000);
  let sluice: Installation;
  let hooks: Hooks;
  let channel: TestSource;
  let source: TestSource;
  let key: string;
  let authData: Row;
  before(async () => {
    [sluice, hooks] = await Promise.all([startInstallation(), startHooks()]);
    channel = await sluice.pipeline.addChannel();
    source = await sluice.pipeline.addSource({ accountId: channel.accountId });
    key = await addKey(sluice.pipeline, channel.accountId);
    authData = { base_url: sluice.apiUrl, api_key: key };
  });
  after(async () => {
    await hooks?.close();
    await sluice?.stop();
  });

  const trigger = (name: string) => zapier.app.triggers[name]?.operation as Operation;
  const list = async () => (await sluice.call<{ data: SubscriptionRecord[] }>(key, 'GET', '/webhooks')).data;

  /** Switches a Zap on. Returns the bundle that Zapier passes from then on. */
  async function switchOn(name: string, zap: string, inputData: Row = {}): Promise<Bundle> {
    const bundle = { authData, inputData, targetUrl: hooks.url(zap), meta: { zap: { id: zap } } };
    return { ...bundle, subscribeData: await zapier.run(trigger(name).performSubscribe, bundle) };
  }
  const switchOff = (name: string, zap: Bundle) => zapier.run(trigger(name).performUnsubscribe, zap);
  const receive = (name: string, zap: Bundle, { rawRequest, cleanedRequest }: Hook) =>
    zapier.run<Row[]>(trigger(name).perform, { ...zap, rawRequest, cleanedRequest });
  let leads = 0;
  const addLead = (more: Row = {}) =>
    sluice.call<{ id: string }>(key, 'POST', '/leads', { email: `lead${++leads}@example.com`, ...more });

  describe('each event kind', () => {
    const zaps = new Map<string, Bundle>();
    before(async () => {
      const inputData = { events: ['lead.created'] };
      for (const { key: name } of HOOKS) zaps.set(name, await switchOn(name, name, inputData));
      await changeEvent(sluice.pipeline, source);
      await refuse(sluice.pipeline, source);
      const leadId = await changeLead(sluice, key);
      // The erasure of a lead removes its messages that have not left yet.
      for (const name of ['lead_created', 'lead_updated', 'lead_stage_changed', 'any_message'])
        await hooks.received(name, 1);
      await erasePending(sluice.pipeline, channel.accountId, leadId);
      await handOver(sluice, channel, 'c-1');
      await endConversation(sluice, channel, 'c-1');
    });

    for (const { key: name, operation } of HOOKS)
      it(`${name}: runs the Zap with a verified message, in the form of the samples`, async () => {
        const zap = zaps.get(name) as Bundle;
        const [hook] = (await hooks.received(name, 1)) as [Hook];
        const [run, ...others] = (await receive(name, zap, hook)) as [Row];
        expect(others).to.deep.equal([]);
        expect(run).to.deep.equal(hook.cleanedRequest);
        const samples = await zapier.run<Row[]>(operation.performList, zap);
        expect(samples).to.have.length(3);
        for (const sample of samples) {
          expect(sample.type).to.equal(run.type);
          expect(shapeOf(sample, run)).to.deep.equal(shapeOf(run, sample));
        }
        // The lead was erased, and its samples with it.
        if (/^(event|conversation)_/.test(name)) expect(samples[0]?.data).to.deep.equal(run.data);
        if (name !== 'any_message')
          expect(shapeOf(operation.sample, run)).to.deep.equal(shapeOf(run, operation.sample));
      });

    it('leaves no subscription behind when all Zaps are switched off', async () => {
      expect(await list()).to.have.length(HOOKS.length);
      for (const [name, zap] of zaps) await switchOff(name, zap);
      expect(await list()).to.deep.equal([]);
    });
  });

  it('subscribes with the chosen filter and names the Zap, once however often Zapier asks', async () => {
    const first = await switchOn('lead_created', 'filtered', { stage: 'stg_contacted' });
    const second = await switchOn('lead_created', 'filtered', { stage: 'stg_contacted' });
    expect(second.subscribeData?.id).to.equal(first.subscribeData?.id);
    const [subscription, ...others] = await list();
    expect(others).to.deep.equal([]);
    expect(subscription).to.deep.include({ events: ['lead.created'] });
    expect(subscription?.filter.stage).to.equal('stg_contacted');
    expect(subscription?.client).to.include({
      platform: 'zapier',
      workflow_url: 'https://zapier.com/editor/filtered',
    });
    await addLead();
    const wanted = await addLead({ stage: 'stg_contacted' });
    const received = await hooks.received('filtered', 1);
    expect(received.map(({ cleanedRequest }) => (cleanedRequest.data as Row).id)).to.deep.equal([wanted.id]);
    await switchOff('lead_created', second);
    await switchOff('lead_created', second);
    expect(await list()).to.deep.equal([]);
  });

  it('runs the Zap after its secret was rotated without an overlap, and starts none for a test', async () => {
    const zap = await switchOn('lead_created', 'rotated');
    const path = `/webhooks/${zap.subscribeData?.id}`;
    await sluice.call(key, 'POST', `${path}/rotate-secret`, { overlap: 'none' });
    const { id } = await addLead();
    const [hook] = (await hooks.received('rotated', 1)) as [Hook];
    expect((await receive('lead_created', zap, hook))[0]?.data).to.include({ id });
    await sluice.call(key, 'POST', `${path}/test`, { event: 'lead.created' });
    const [, test] = (await hooks.received('rotated', 2)) as [Hook, Hook];
    expect(test.cleanedRequest.type).to.equal('lead.created');
    expect(await receive('lead_created', zap, test)).to.deep.equal([]);
    const [subscription] = await list();
    expect(subscription?.client).to.deep.include({ platform: 'zapier' });
    await switchOff('lead_created', zap);
    expect((await errorOf(receive('lead_created', zap, hook))).name).to.equal('HaltedError');
    expect(await list()).to.deep.equal([]);
  });

  it('switches a Zap off after its key was revoked, and says why it cannot be switched on', async () => {
    const zap = await switchOn('lead_created', 'revoked');
    const gone = { ...zap, authData: { ...authData, api_key: `slc_live_${'x'.repeat(40)}` } };
    await switchOff('lead_created', gone);
    const error = await errorOf(zapier.run(trigger('lead_created').performSubscribe, gone));
    expect(error.name).to.equal('ExpiredAuthError');
    await switchOff('lead_created', zap);
    const weak = { ...authData, api_key: await addKey(sluice.pipeline, channel.accountId, ['read:leads']) };
    const refused = await errorOf(
      zapier.run(trigger('lead_created').performSubscribe, { ...zap, authData: weak }),
    );
    expect(refused).to.include({ code: 'scope_missing', status: 403 });
    expect(refused.message).to.match(/webhooks/);
    expect(await list()).to.deep.equal([]);
  });

  it('fills each menu with id and name', async () => {
    const menu = (name: string) => zapier.run<Row[]>(trigger(name).perform, { authData, inputData: {} });
    expect(await menu('stages')).to.deep.include({ id: 'stg_contacted', name: 'Contacted' });
    expect(await menu('event_kinds')).to.deep.include({ id: 'lead.created', name: 'Lead created' });
    expect(await menu('sources')).to.deep.equal([{ id: source.sourceId, name: 'test' }]);
    expect(await menu('channels')).to.deep.equal([{ id: channel.sourceId, name: 'test' }]);
  });
});
