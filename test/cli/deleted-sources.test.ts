import { replyId } from '@sluice/outbound/subscriptions/reply-id';
import { expect } from 'chai';
import { expectFailure, useInstallation } from './support.ts';
import { useSubscriptions } from './use-subscriptions.ts';

const REPLIES = 'https://chat.example.com/replies';

for (const { noun, what, create, other } of [
  { noun: 'source', what: 'events', create: '', other: 'channel' },
  { noun: 'channel', what: 'conversations', create: ` --reply-url ${REPLIES}`, other: 'source' },
] as const)
  describe(`sluice ${noun} delete`, () => {
    const used = useInstallation();
    const subscriptions = useSubscriptions(used);

    const made = async () => {
      const [row = {}] = await used.json(`${noun} create --name Booking${create}`);
      return { row, id: String(row[`${noun}_id`]) };
    };
    const listed = async () => (await used.json(`${noun} list`)).map((row) => row[`${noun}_id`]);
    const audited = async (id: string) => {
      const { items } = await used.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 });
      const own = items.filter(({ target, action }) => target.id === id && action === `${noun}.deleted`);
      return own.map(({ detail }) => detail);
    };

    for (const [choice, detail] of [
      ['keep', `its ${what} are kept`],
      ['delete', `its ${what} are deleted`],
    ] as const)
      it(`deletes the ${noun} and its reply URL before it ends, with --${what} ${choice}`, async () => {
        const { row, id } = await made();
        const { signing_secret: _, reply_secret: __, ...shown } = row;
        const ids = noun === 'source' ? { external_ids: true } : {};
        const settings = { body_storage: 'all', rate_per_second: null, rate_burst: null, ...ids };
        expect(await used.json(`${noun} delete ${id} --${what} ${choice}`)).to.deep.equal([
          { ...shown, ...settings, active: false, account_id: 'demo', [what]: choice },
        ]);
        expect(await used.published(id)).to.have.nested.property('record.is_deleted', true);
        expect(await subscriptions.publishedOf(replyId(id))).to.equal(undefined);
        expect(await listed()).to.not.include(id);
        expect((await used.store.sources.findSource(id))?.deleted?.events).to.equal(choice);
        const due = await used.store.deletedSources.claimDue(Date.now(), Date.now() + 60_000);
        expect(due?.source_id, 'what the API server sweeps next').to.equal(id);
        expect(await audited(id)).to.deep.equal([detail]);
        for (const verb of ['show', 'rotate-secret', 'activate'])
          expect((await used.run(`${noun} ${verb} ${id}`)).stderr).to.contain(`There is no ${noun} ${id}`);
      });

    it(`deletes ${what} that were kept when it is repeated, and never keeps those being deleted`, async () => {
      const { id } = await made();
      for (const [wanted, effective] of [
        ['keep', 'keep'],
        ['delete', 'delete'],
        ['keep', 'delete'],
      ])
        expect((await used.json(`${noun} delete ${id} --${what} ${wanted}`))[0]?.[what]).to.equal(effective);
      expect(await audited(id), 'one for each choice').to.have.length(2);
    });

    for (const option of ['', ` --${what} some`])
      it(`names the choices and changes nothing with${option || 'out a choice'}`, async () => {
        const { id } = await made();
        const done = await used.run(`${noun} delete ${id}${option}`);
        expectFailure(done, 2, `--${what} <keep|delete>`);
        expect(await listed()).to.include(id);
      });

    it(`fails for an unknown id, and for that of a ${other}`, async () => {
      const [stranger = {}] = await used.json(`${other} create --name Other`);
      for (const wrong of ['none', String(stranger[`${other}_id`])]) {
        const done = await used.run(`${noun} delete ${wrong} --${what} keep --json`);
        expectFailure(done, 1, `There is no ${noun} ${wrong}. See: sluice ${noun} list`);
      }
      expect(await used.json(`${other} list`)).to.have.length(1);
    });
  });
