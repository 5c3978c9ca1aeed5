import { type DeadLetter, GROUP_VERSION } from '@sluice/contract/delivery/groups';
import { createDeadLetters, type DeadLetters } from '@sluice/queue/dead-letters';
import { createProducer } from '@sluice/queue/producer';
import { createKeyspace } from '@sluice/redis/keyspace';
import { expect } from 'chai';
import { useInstallation } from './support.ts';

const LETTER: DeadLetter = {
  v: GROUP_VERSION,
  failed_at: 1_795_250_000_000,
  reason: 'MongoDB 121',
  action: {},
};

describe('sluice dead-letters', () => {
  const used = useInstallation();
  let deadLetters: DeadLetters;
  let prefix: string;

  before(async () => {
    prefix = createKeyspace(used.env.SLUICE_NAMESPACE ?? '').prefix;
    deadLetters = createDeadLetters({ redis: used.redis, prefix });
    for (const n of [1, 2]) {
      await deadLetters.add(`dlv_${n}`, {
        v: GROUP_VERSION,
        failed_at: 1_795_250_000_000,
        reason: 'MongoDB 121',
        action: { n },
      });
    }
  });
  after(async () => {
    await deadLetters?.close();
  });

  it('lists the actions that could not be applied, with the reasons', async () => {
    expect(await used.json('dead-letters list')).to.deep.equal([
      {
        delivery_id: 'dlv_1',
        failed_at: '2026-11-21T08:33:20.000Z',
        reason: 'MongoDB 121',
        action: { n: 1 },
      },
      {
        delivery_id: 'dlv_2',
        failed_at: '2026-11-21T08:33:20.000Z',
        reason: 'MongoDB 121',
        action: { n: 2 },
      },
    ]);
  });

  it('enqueues a letter again with retry, and deletes it with drop', async () => {
    expect(await used.json('dead-letters retry dlv_1')).to.deep.equal([
      { delivery_id: 'dlv_1', status: 'retried' },
    ]);
    expect(await used.json('dead-letters drop dlv_2')).to.deep.equal([
      { delivery_id: 'dlv_2', status: 'dropped' },
    ]);
    // A retried letter stays until a worker has applied it, and no worker runs here.
    expect(await used.json('dead-letters list')).to.have.length(1);
    const producer = createProducer({ redis: used.redis, prefix });
    expect(await producer.backlog()).to.deep.equal({ actions: 1, refusals: 0 });
    await producer.close();
    for (const verb of ['retry', 'drop'])
      expect(await used.run(`dead-letters ${verb} dlv_2`)).to.include({ code: 1, stdout: '' });
  });

  it('retries and drops many letters at once, and continues after a missing one', async () => {
    const ids = ['dlv_4', 'dlv_5', 'dlv_6'];
    for (const id of ids) await deadLetters.add(id, LETTER);
    expect(await used.json(`dead-letters retry ${ids.join(' ')}`)).to.deep.equal(
      ids.map((delivery_id) => ({ delivery_id, status: 'retried' })),
    );
    const dropped = await used.run('dead-letters drop dlv_4 dlv_none dlv_5 dlv_6 --json');
    expect(dropped.rows).to.deep.equal(ids.map((delivery_id) => ({ delivery_id, status: 'dropped' })));
    expect(dropped).to.include({
      code: 1,
      stderr: 'sluice: There is no dead letter dlv_none. See: sluice dead-letters list\n',
    });
  });

  it('lists page by page, each with the command of the next one', async () => {
    for (const id of ['dlv_7', 'dlv_8', 'dlv_9']) await deadLetters.add(id, LETTER);
    const all = (await used.json('dead-letters list')).map(({ delivery_id }) => delivery_id);
    const seen: unknown[] = [];
    let next = 'dead-letters list --limit 2';
    while (next !== '') {
      const page = await used.run(`${next} --json`);
      seen.push(...page.rows.map(({ delivery_id }) => delivery_id));
      next = /Next page: sluice (.*)/.exec(page.stderr)?.[1] ?? '';
      const left = all.length - seen.length;
      const note = `${left} of ${all.length} are newer. Next page: sluice dead-letters list --limit 2 --after ${seen.at(-1)}\n`;
      expect(page.stderr).to.equal(left > 0 ? note : '');
    }
    expect(all).to.include.members(['dlv_7', 'dlv_8', 'dlv_9']);
    expect(seen).to.deep.equal(all);
  });

  it('says so when the letter before the page was dropped meanwhile', async () => {
    for (const id of ['dlv_10', 'dlv_11']) await deadLetters.add(id, LETTER);
    await used.json('dead-letters drop dlv_10');
    expect(await used.run('dead-letters list --after dlv_10')).to.include({
      code: 1,
      stdout: '',
      stderr:
        'sluice: There is no dead letter dlv_10. It may have been retried or dropped meanwhile. List again without --after.\n',
    });
    expect((await used.json('dead-letters list --after dlv_11')).length).to.equal(0);
  });

  it('lists more letters than one portion in their order', async () => {
    const ids = Array.from({ length: 1_100 }, (_, n) => `dlv_many${n}`);
    await Promise.all(ids.map((id) => deadLetters.add(id, LETTER)));
    const page = await used.json('dead-letters list --limit 1100 --after dlv_11');
    expect(page.map(({ delivery_id }) => delivery_id)).to.deep.equal(ids);
  });
});
