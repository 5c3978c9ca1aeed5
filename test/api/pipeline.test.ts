import type { Pipeline, StageRetired } from '@sluice/dashboard-api/pipeline';
import { expect } from 'chai';
import { type Person, startApi, type TestApi } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';

/** Then no process puts a lead into a stage any more that is being retired. */
const CLOSED_AFTER_MS = 15_000;

describe('api: the pipeline in the dashboard', () => {
  let api: TestApi;
  let owner: Person;
  const clock = { aheadMs: 0 };
  beforeEach(async () => {
    api ??= await startApi({ now: () => Date.now() + clock.aheadMs });
    owner = await api.addPerson(await api.addAccount(), 'owner');
  });
  after(() => api?.close());

  const show = (): Promise<Pipeline> => owner.read('/pipeline');
  const ids = async () => (await show()).stages.map(({ id }) => id);
  const DEFAULT = ['stg_new', 'stg_contacted', 'stg_qualified', 'stg_won', 'stg_lost'];

  it('begins with five stages, and puts a new open stage behind the last open one', async () => {
    expect(await ids()).to.deep.equal(DEFAULT);
    await owner.call('post', '/pipeline/stages', { name: 'Demo', kind: 'open' });
    expect((await show()).stages.map(({ name }) => name)).to.deep.equal([
      ...['New', 'Contacted', 'Qualified', 'Demo', 'Won', 'Lost'],
    ]);
  });

  it('rejects a second stage with the same name', async () => {
    expectProblem(await owner.call('post', '/pipeline/stages', { name: 'nEw', kind: 'open' }), 'conflict');
    expectProblem(await owner.call('patch', '/pipeline/stages/stg_new', { name: 'Won' }), 'conflict');
    const same = await owner.call('patch', '/pipeline/stages/stg_new', { name: 'NEW' });
    expect(same.status).to.equal(200);
  });

  it('rejects an order that misses a stage or names one twice', async () => {
    const order = (stages: readonly string[]) => owner.call('put', '/pipeline/order', { stages });
    expectProblem(await order(DEFAULT.slice(1)), 'conflict');
    expectProblem(await order([...DEFAULT.slice(1), 'stg_lost']), 'conflict');
    expect((await order(DEFAULT.toReversed())).status).to.equal(200);
    expect(await ids()).to.deep.equal(DEFAULT.toReversed());
  });

  it('a retired stage takes no leads, passes its own on, and is gone', async () => {
    for (const name of ['One', 'Two']) await owner.call('post', '/leads', { name, stage: 'stg_contacted' });
    const retire = (move_to: string) =>
      owner.call('post', '/pipeline/stages/stg_contacted/retire', { move_to });
    expectProblem(await retire('stg_contacted'), 'conflict');
    expectProblem(await retire('stg_none'), 'conflict');
    const first = (await retire('stg_qualified')).body as StageRetired;
    expect(first.moved).to.equal(2);
    expect((await show()).stages.find(({ id }) => id === 'stg_contacted')?.retiring_to).to.equal(
      'stg_qualified',
    );
    expectProblem(
      await owner.call('post', '/leads', { name: 'Late', stage: 'stg_contacted' }),
      'validation_failed',
    );
    clock.aheadMs += CLOSED_AFTER_MS;
    for (let { left } = first; left > 0; ) left = ((await retire('stg_qualified')).body as StageRetired).left;
    expect(await ids()).not.to.include('stg_contacted');
    const moved = await owner.read('/leads?stage=stg_qualified');
    expect(moved.items).to.have.length(2);
  });

  it('a stage stays if its retirement was stored long after it was asked for', async () => {
    const accountId = await api.addAccount();
    const member = await api.addPerson(accountId, 'owner');
    const { leadSettings } = api.store;
    const before = await leadSettings.findSettings(accountId);
    const retiring = {
      into: 'stg_new',
      since: Date.now() - 60_000,
      actor: { type: 'system', id: 'pipeline' } as const,
    };
    const stages = before.stages.map((stage) => (stage.id === 'stg_won' ? { ...stage, retiring } : stage));
    expect(await leadSettings.putSettings({ ...before, stages })).to.equal(true);
    const { body } = await member.call('post', '/pipeline/stages/stg_won/retire', { move_to: 'stg_new' });
    expect((body as StageRetired).left).to.equal(1);
  });

  it('a stage with many leads is retired in the background, after the dialog was closed', async () => {
    const leads = Array.from({ length: 130 }, (_, n) => ({ name: `Lead ${n}`, stage: 'stg_qualified' }));
    await Promise.all(leads.map((lead) => owner.call('post', '/leads', lead)));
    const { body } = await owner.call('post', '/pipeline/stages/stg_qualified/retire', {
      move_to: 'stg_new',
    });
    expect((body as StageRetired).left).to.be.above(20);
    clock.aheadMs += CLOSED_AFTER_MS;
    await until(async () => !(await ids()).includes('stg_qualified'));
    expect((await owner.read('/leads?stage=stg_new&limit=1')).items).to.have.length(1);
    const left = await owner.call('get', '/leads?stage=stg_qualified');
    expect(left.body.items ?? []).to.deep.equal([]);
  });

  it('two members who add stages at the same time both succeed', async () => {
    const add = (name: string) => owner.call('post', '/pipeline/stages', { name, kind: 'lost' });
    const answers = await Promise.all([add('A'), add('B'), add('C')]);
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201]);
    expect((await show()).stages).to.have.length(8);
  });
});
