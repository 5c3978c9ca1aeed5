import { expect } from 'chai';
import { useInstallation } from './support.ts';
import { useStores } from './use-stores.ts';

describe('sluice source delete', () => {
  const used = useInstallation();
  const stores = useStores(used);

  const create = async (noun: 'source' | 'channel' = 'source') => {
    const [made = {}] = await used.json(`${noun} create --name Booking`);
    return { made, id: String(made[`${noun}_id`]) };
  };
  const listed = async () => (await used.json('source list')).map(({ source_id }) => source_id);
  const audited = async (id: string) =>
    (await stores.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 })).items.filter(
      ({ target, action }) => target.id === id && action === 'source.deleted',
    );

  for (const [events, detail] of [
    ['keep', 'its events are kept'],
    ['delete', 'its events are deleted'],
  ] as const)
    it(`deletes the source before it ends, with --events ${events}`, async () => {
      const { made, id } = await create();
      const { signing_secret: _, ...shown } = made;
      const row = { ...shown, body_storage: 'all', rate_per_second: null, rate_burst: null };
      expect(await used.json(`source delete ${id} --events ${events}`)).to.deep.equal([
        { ...row, active: false, account_id: 'demo', events },
      ]);
      expect(await stores.published(id)).to.have.nested.property('record.is_deleted', true);
      expect(await listed()).to.not.include(id);
      expect((await stores.store.sources.findSource(id))?.deleted?.events).to.equal(events);
      const due = await stores.store.deletedSources.claimDue(Date.now(), Date.now() + 60_000);
      expect(due?.source_id, 'what the API server sweeps next').to.equal(id);
      expect(await audited(id)).to.have.length(1);
      expect((await audited(id))[0]).to.include({ detail });
    });

  it('can be repeated: it deletes events that were kept, and never keeps those being deleted', async () => {
    const { id } = await create();
    for (const [wanted, effective] of [
      ['keep', 'keep'],
      ['delete', 'delete'],
      ['keep', 'delete'],
    ])
      expect((await used.json(`source delete ${id} --events ${wanted}`))[0]).to.include({
        events: effective,
      });
    expect(await audited(id), 'one for each choice').to.have.length(2);
  });

  for (const [what, option] of [
    ['the choice is missing', ''],
    ['the choice is unknown', ' --events some'],
  ])
    it(`names the choices for the events and changes nothing if ${what}`, async () => {
      const { id } = await create();
      const done = await used.run(`source delete ${id}${option}`);
      expect(done).to.include({ code: 2, stdout: '' });
      expect(done.stderr).to.match(/--events <keep\|delete>.*\n.*--help/);
      expect(await listed()).to.include(id);
      const help = (await used.run('source delete --help')).stdout;
      expect(help).to.contain('choices: "keep", "delete"').and.contain('The delivery log stays.');
    });

  it('fails for an unknown id, and for that of a channel', async () => {
    const { id } = await create('channel');
    for (const wrong of ['src_none', id]) {
      const done = await used.run(`source delete ${wrong} --events keep --json`);
      expect(done).to.include({ code: 1, stdout: '' });
      expect(done.stderr).to.contain(`There is no source ${wrong}. See: sluice source list`);
    }
    expect((await used.json('channel list')).map(({ channel_id }) => channel_id)).to.include(id);
  });

  it('leaves nothing for the other commands: show, rotate-secret and activate name no such source', async () => {
    const { id } = await create();
    await used.json(`source delete ${id} --events keep`);
    for (const verb of ['show', 'rotate-secret', 'activate'])
      expect((await used.run(`source ${verb} ${id}`)).stderr).to.contain(`There is no source ${id}`);
  });
});
