import { SETTLED_MS } from '@sluice/store/changed-since';
import { expect } from 'chai';
import { applyActions, visitorSays } from '../../support/conversations.ts';
import { expectProblem } from '../../support/expect-problem.ts';
import { expectDocumented } from '../../support/openapi.ts';
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

  it('returns the messages of a conversation that have changed since an instant', async () => {
    const channel = { accountId: accountId(), channelId: 'chn_changed' };
    const texts = ['One', 'Two', 'Three'];
    const id = await applyActions(
      api().deps,
      channel,
      texts.map((text) => visitorSays('changed', text, message(text))),
    );
    const path = `/conversations/${id}/messages`;
    const all = await idsOf(`${path}?sort=created_at`);
    expect(all).to.have.length(3);
    const since = await now();
    expect(await idsOf(`${path}?updated_since=${since}`)).to.deep.equal([]);
    await applyActions(api().deps, channel, [visitorSays('changed', 'Two!', message('Two', 'Two!'))]);
    await applyActions(api().deps, channel, [visitorSays('changed', 'Four', message('Four'))]);
    const later = await idsOf(`${path}?updated_since=${since}&sort=updated_at`);
    expect(later[0]).to.equal(all[1]);
    expect(later).to.have.length(2);
    expect(await idsOf(`${path}?sort=-updated_at`)).to.deep.equal([
      ...[later[1], later[0]],
      ...(await idsOf(`${path}?sort=-updated_at`)).slice(2),
    ]);
    expect(new Set(await idsOf(`${path}?sort=updated_at`))).to.deep.equal(new Set([...all, later[1]]));
    const listed = await call('get', `${path}?sort=updated_at`);
    expectDocumented('listMessages', { status: 200, contentType: listed.type, body: listed.body });
  });

  it('returns the deliveries of a subscription that have changed since an instant', async () => {
    const { body: made } = await call('post', '/webhooks', {
      body: { url: URL_1, event: 'lead.created' },
    });
    const path = `/webhooks/${made.id}/deliveries`;
    const attempt = (number: number, status: 'failed' | 'delivered', id = `a${number}`) => ({
      ...{ message_id: `msg_${number}`, account_id: accountId(), subscription_id: made.id },
      ...{ change_id: `change${number}`, kind: 'lead.created', record_id: `lead_${number}` },
      ...{ status, next_attempt_at: null, created_at: 1000 + number },
      attempt: {
        ...{ id, at: 2000, duration_ms: 5, code: status, status: 200, sentence: 'Done.' },
        ...{ response: null, redelivery: false },
      },
    });
    for (const number of [1, 2, 3]) await api().deps.webhookMessages.logAttempts([attempt(number, 'failed')]);
    const since = await now();
    expect(await idsOf(`${path}?updated_since=${since}`)).to.deep.equal([]);
    await api().deps.webhookMessages.logAttempts([attempt(1, 'delivered', 'again')]);
    expect(await idsOf(`${path}?updated_since=${since}`)).to.deep.equal(['msg_1']);
    expect(await idsOf(`${path}?updated_since=${since}&status=failed`)).to.deep.equal([]);
    expect((await idsOf(`${path}?sort=updated_at`)).at(-1)).to.equal('msg_1');
    expect((await idsOf(`${path}?sort=-updated_at`))[0]).to.equal('msg_1');
    expect(await idsOf(`${path}?sort=-created_at`)).to.deep.equal(['msg_3', 'msg_2', 'msg_1']);
    const rejected = await call('get', `${path}?sort=-created_at&updated_since=${since}`);
    expectProblem(rejected, 'validation_failed');
    expect(rejected.body.errors[0].pointer).to.equal('/sort');
    const listed = await call('get', `${path}?sort=updated_at`);
    expectDocumented('listWebhookDeliveries', { status: 200, contentType: listed.type, body: listed.body });
  });

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

  it('shows channels and sources to keys with the scope webhooks only', async () => {
    const other = await keyOf(['read:conversations', 'read:leads']);
    for (const path of ['/channels', '/sources']) {
      expect((await call('get', path)).status).to.equal(200);
      const rejected = await call('get', path, { as: other });
      expectProblem(rejected, 'scope_missing');
      expect(rejected.body.required_scopes).to.deep.equal(['webhooks']);
    }
  });
});

const message = (external_id: string, text = external_id) => ({
  message: { external_id, author: 'visitor' as const, text },
});
