import { SETTLED_MS } from '@sluice/store/changed-since';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import { until } from '../../support/until.ts';
import { usePublicApi } from '../support/use-public-api.ts';
import { URL_1 } from '../support/use-webhooks.ts';

interface Item {
  readonly created_at?: string;
  readonly id: string;
  readonly updated_at: string;
}

describe('api: lists in the order of changes', function () {
  this.timeout(60_000);
  const { api, accountId, keyOf, call } = usePublicApi(['webhooks', 'read:conversations']);

  const page = async (path: string) => {
    const answer = await call('get', path);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body as { data: Item[]; next_cursor: string | null; updated_until: string };
  };
  /** The ids of a whole list, read in pages of two. */
  const idsOf = async (path: string) => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const read: Awaited<ReturnType<typeof page>> = await page(
        `${path}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...read.data.map(({ id }) => id));
      cursor = read.next_cursor;
    }
    return ids;
  };
  /** An instant behind all changes so far. */
  const now = async () => {
    const at = Date.now() + 1;
    await until(() => Date.now() >= at);
    return new Date(at).toISOString();
  };

  it('returns the channels and sources that were made or renamed since an instant', async () => {
    const owner = await api().addPerson(accountId(), 'owner');
    for (const [kind, idName] of [
      ['channels', 'channel_id'],
      ['sources', 'source_id'],
    ] as const) {
      const make = async (name: string): Promise<string> => {
        const { body } = await owner.call('post', `/${kind}`, { name });
        return body[kind.slice(0, -1)][idName];
      };
      const ids = [await make('One'), await make('Two'), await make('Three')];
      const list = `/${kind}?q=`;
      expect(await idsOf(list)).to.deep.equal(ids);
      expect(await idsOf(`${list}&sort=-created_at`)).to.deep.equal([...ids].reverse());
      const since = await now();
      expect(await idsOf(`${list}&updated_since=${since}`)).to.deep.equal([]);
      await owner.call('patch', `/${kind}/${ids[0]}`, { name: 'First' });
      const fourth = await make('Four');
      expect(await idsOf(`${list}&updated_since=${since}&sort=updated_at`)).to.deep.equal([ids[0], fourth]);
      expect(await idsOf(`${list}&sort=updated_at`)).to.deep.equal([ids[1], ids[2], ids[0], fourth]);
      const { data } = await page(`${list}&sort=-updated_at&limit=2`);
      expect(data[1]).to.deep.include({ id: ids[0], name: 'First' });
      expect(Date.parse(data[1]?.updated_at ?? '')).to.be.at.least(Date.parse(since));
      const later = await now();
      await owner.call('patch', `/${kind}/${ids[0]}`, { name: 'First' });
      expect(await idsOf(`${list}&updated_since=${later}`)).to.deep.equal([]);
      const stored = api().mongo.db.collection<{ _id: string }>('sources');
      await stored.updateOne({ _id: ids[2] as string }, { $set: { renamed_at: new Date(0) } });
      const behind = (await page(list)).data.find(({ id }) => id === ids[2]);
      expect(behind?.updated_at).to.equal(behind?.created_at);
    }
  });

  it('has updated_until far enough behind that every change of before has ended', async () => {
    const id = await applyActions(api().deps, { accountId: accountId(), channelId: 'chn_until' }, [
      visitorSays('until', 'One'),
    ]);
    const { body: made } = await call('post', '/webhooks', { body: { url: URL_1, event: 'lead.created' } });
    const reader = await keyOf(['read:leads']);
    for (const path of [
      '/conversations',
      `/conversations/${id}/messages`,
      `/webhooks/${made.id}/deliveries`,
      '/channels',
      '/sources',
      '/leads',
    ]) {
      const before = await api().store.serverTime();
      const answer = await call('get', path, path === '/leads' ? { as: reader } : {});
      const until = Date.parse(answer.body.updated_until) + SETTLED_MS;
      expect(until, path).to.be.within(before, await api().store.serverTime());
    }
  });
});
