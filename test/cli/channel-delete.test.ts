import { replyId } from '@sluice/outbound/subscriptions/reply-id';
import { expect } from 'chai';
import { useInstallation } from './support.ts';
import { useStores } from './use-stores.ts';
import { useSubscriptions } from './use-subscriptions.ts';

describe('sluice channel delete', () => {
  const used = useInstallation();
  const at = useSubscriptions(used);
  const stores = useStores(used);

  const create = async () => {
    const [made = {}] = await used.json('channel create --name Chat --reply-url https://chat.example.com/r');
    return { made, id: String(made.channel_id) };
  };

  for (const [conversations, detail] of [
    ['keep', 'its conversations are kept'],
    ['delete', 'its conversations are deleted'],
  ] as const)
    it(`deletes the channel and its reply URL before it ends, with --conversations ${conversations}`, async () => {
      const { made, id } = await create();
      expect(await at.publishedOf(replyId(id))).to.not.equal(undefined);
      const { signing_secret: _, reply_secret: __, ...shown } = made;
      const row = { ...shown, body_storage: 'all', rate_per_second: null, rate_burst: null };
      expect(await used.json(`channel delete ${id} --conversations ${conversations}`)).to.deep.equal([
        { ...row, active: false, account_id: 'demo', conversations },
      ]);
      expect(await stores.published(id)).to.have.nested.property('record.is_deleted', true);
      expect(await at.publishedOf(replyId(id))).to.equal(undefined);
      expect((await used.json('channel list')).map(({ channel_id }) => channel_id)).to.not.include(id);
      expect((await stores.store.sources.findSource(id))?.deleted?.events).to.equal(conversations);
      const due = await stores.store.deletedSources.claimDue(Date.now(), Date.now() + 60_000);
      expect(due?.source_id, 'what the API server sweeps next').to.equal(id);
      const { items } = await stores.store.auditLog.pageEntries({ account_id: 'demo', limit: 100 });
      const own = items.filter(({ target, action }) => target.id === id && action === 'channel.deleted');
      expect(own.map((entry) => entry.detail)).to.deep.equal([detail]);
    });

  it('names the choices for the conversations and changes nothing if the choice is missing', async () => {
    const { id } = await create();
    const done = await used.run(`channel delete ${id}`);
    expect(done).to.include({ code: 2, stdout: '' });
    expect(done.stderr).to.contain('--conversations <keep|delete>');
    expect((await used.json('channel list')).map(({ channel_id }) => channel_id)).to.include(id);
  });

  it('fails for an unknown id, and for that of a source', async () => {
    const [source] = await used.json('source create --name Booking');
    for (const wrong of ['chn_none', String(source?.source_id)]) {
      const done = await used.run(`channel delete ${wrong} --conversations keep --json`);
      expect(done).to.include({ code: 1, stdout: '' });
      expect(done.stderr).to.contain(`There is no channel ${wrong}. See: sluice channel list`);
    }
    expect(await used.json('source list')).to.have.length(1);
  });
});
