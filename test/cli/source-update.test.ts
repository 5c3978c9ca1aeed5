import { expect } from 'chai';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice source update and channel update', () => {
  const used = useInstallation();
  const create = async (noun = 'source') => {
    const [made] = await used.json(`${noun} create --name Booking`);
    return String(made?.[`${noun}_id`]);
  };
  const details = async (id: string) => {
    const { items } = await used.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 });
    const own = items.filter(({ target, detail }) => target.id === id && detail !== null);
    return own.map(({ action, detail, unconfirmed }) => [action, detail, unconfirmed]).toReversed();
  };

  it('changes what is named, publishes it, and leaves the rest', async () => {
    const id = await create();
    const update = async (options: string) => (await used.json(`source update ${id} ${options}`))[0];
    expect(await update('--name Concerts')).to.include({
      ...{ source_id: id, name: 'Concerts', account_id: 'demo', active: true },
      ...{ body_storage: 'all', rate_per_second: null, rate_burst: null },
    });
    const limits = { body_storage: 'failures', rate_per_second: 5, rate_burst: 20 };
    expect(await update('--body-storage failures --rate-per-second 5 --rate-burst 20')).to.include({
      ...{ name: 'Concerts', ...limits },
    });
    expect(await used.published(id)).to.have.nested.include({
      'record.rate_per_second': 5,
      'record.rate_burst': 20,
    });
    expect(await update('--rate-per-second default')).to.include({ ...limits, rate_per_second: null });
    expect(await update('--external-ids off')).to.include({ external_ids: false });
    expect(await update('--external-ids on')).to.include({ external_ids: true });
    expect(await used.published(id)).to.have.nested.include({ 'record.external_ids': true });
    expect((await used.json('source list')).find((one) => one.source_id === id)).to.include({
      ...{ ...limits, rate_per_second: null, name: 'Concerts' },
    });
  });

  it('writes what was changed into the audit log', async () => {
    const id = await create();
    await used.json(`source update ${id} --name Concerts --body-storage none`);
    await used.json(`source update ${id} --rate-burst default --external-ids off`);
    expect(await details(id)).to.deep.equal([
      ['source.changed', 'Name: Concerts, Keep request bodies: None', undefined],
      ['source.changed', 'Burst: the default, External ids: off', undefined],
    ]);
  });

  it('gives a channel the same settings', async () => {
    const id = await create('channel');
    const [changed] = await used.json(`channel update ${id} --rate-per-second 7 --body-storage none`);
    expect(changed).to.include({ channel_id: id, rate_per_second: 7, body_storage: 'none', name: 'Booking' });
    expect(await details(id)).to.deep.equal([
      ['channel.changed', 'Keep request bodies: None, Requests a second: 7', undefined],
    ]);
  });

  for (const [options, code, expected] of [
    ['', 2, 'Nothing to change'],
    ['--rate-per-second 0', 2, 'whole number above 0'],
    ['--rate-burst 1000001', 2, 'At most 1000000'],
    ['--body-storage some', 2, 'Allowed choices are none, failures, all'],
  ] as const)
    it(`rejects ${options || 'no option'} and changes nothing`, async () => {
      const id = await create();
      const before = await used.store.sources.findSource(id);
      const done = await used.run(`source update ${id} ${options}`.trim());
      expectFailure(done, code, expected);
      expect(await used.store.sources.findSource(id)).to.deep.equal(before);
    });

  it('finds no unknown source, and does not take a channel for one', async () => {
    for (const id of ['src_none', await create('channel')]) {
      const done = await used.run(`source update ${id} --name x --json`);
      expectFailure(done, 1, `There is no source ${id}`);
    }
  });
});
