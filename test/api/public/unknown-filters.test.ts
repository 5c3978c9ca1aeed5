import { createChannel } from '@sluice/accounts/sources/create-channel';
import { createSource } from '@sluice/accounts/sources/create-source';
import { expect } from 'chai';
import { expectProblem } from '../../support/expect-problem.ts';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: filters by something that the account does not have', () => {
  const { api, accountId, call } = usePublicApi(['read:leads', 'write:leads', 'read:conversations']);

  it('a list of leads by a stage that is unknown or empty is rejected, and one that is being retired is not', async () => {
    await call('post', '/leads', { body: { name: 'Ada', stage: 'stg_won' } });
    for (const stage of ['stg_wno', '', 'Won']) {
      const rejected = await call('get', `/leads?stage=${stage}`);
      expectProblem(rejected, 'unknown_stage');
      expect(rejected.body.errors[0].pointer).to.equal('/stage');
    }
    expect((await call('get', '/leads?stage=stg_won')).body.data).to.have.length(1);
    const { leadSettings } = api().store;
    const settings = await leadSettings.findSettings(accountId());
    const stages = settings.stages.map((stage) => ({
      ...stage,
      ...(stage.id === 'stg_won' && {
        retiring: { into: 'stg_lost', since: 0, actor: { type: 'system', id: 'test' } as const },
      }),
    }));
    await leadSettings.putSettings({ ...settings, stages });
    expect((await call('get', '/leads?stage=stg_won')).status).to.equal(200);
  });

  it('a stage that was just added is known', async () => {
    expectProblem(await call('get', '/leads?stage=stg_added'), 'unknown_stage');
    const { leadSettings } = api().store;
    const settings = await leadSettings.findSettings(accountId());
    const added = { id: 'stg_added', name: 'Added', kind: 'open' } as const;
    await leadSettings.putSettings({ ...settings, stages: [...settings.stages, added] });
    expect((await call('get', '/leads?stage=stg_added')).body.data).to.deep.equal([]);
  });

  it('a list of conversations by a channel that is unknown, of another account or an event source is rejected', async () => {
    const made = async (account: string) => {
      const channel = await createChannel(api().deps, { accountId: account, name: 'Chat' });
      if (channel.status !== 'created') throw new Error(channel.status);
      return channel.channel.source_id;
    };
    const own = await made(accountId());
    const source = await createSource(api().deps, { accountId: accountId(), name: 'Booking' });
    if (source.status !== 'created') throw new Error(source.status);
    for (const id of ['chn_none', '', await made(await api().addAccount()), source.source.source_id]) {
      const rejected = await call('get', `/conversations?channel=${id}`);
      expectProblem(rejected, 'validation_failed');
      expect(rejected.body.errors[0].pointer).to.equal('/channel');
    }
    expect((await call('get', `/conversations?channel=${own}`)).body.data).to.deep.equal([]);
  });
});
