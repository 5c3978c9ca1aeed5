import { newId } from '@sluice/credentials/ids';
import { changeReply, publishReply } from '@sluice/outbound/subscriptions/publish-reply';
import { replyId } from '@sluice/outbound/subscriptions/reply-id';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { addSource, publishedOf, useSubscriptions } from './support.ts';

describe('subscriptions: the reply URL of a channel', () => {
  const used = useSubscriptions();
  let version = 1;

  async function setUrl(source_id: string, reply_url: string) {
    version += 1;
    const $set = { reply_url, sealed_reply_secret: 'sealed', version };
    await used.mongo.db.collection<{ _id: string }>('sources').updateOne({ _id: source_id }, { $set });
  }

  it('is published by the sweep if the process that changed it has died', async () => {
    const account_id = newId('acc');
    const source_id = await addSource(used, account_id, { kind: 'channel' });
    const channel = { account_id, source_id };
    const published = async () => (await publishedOf(used, replyId(source_id)))?.target_url;
    await setUrl(source_id, 'https://chat.example.com/before');
    await publishReply(used.deps, channel);
    expect(await published()).to.equal('https://chat.example.com/before');

    const dying = changeReply(used.deps, channel, async () => {
      await setUrl(source_id, 'https://chat.example.com/after');
      throw new Error('the process dies');
    });
    expect(await dying.catch((error: Error) => error.message)).to.equal('the process dies');
    expect(await published()).to.equal('https://chat.example.com/before');
    expect((await used.directory.version(account_id)).status).to.equal('fenced');
    // The fence of the dead process ends after 15 s.
    const { subscriptions, fenced } = createShards(used.namespace, 1).first;
    const list = subscriptions(account_id);
    const [fence = ''] = (await used.redis.hkeys(list)).filter((name) => name.startsWith('fence:'));
    await used.redis.hset(list, { [fence]: 1, fenced_until: 1 });
    await used.redis.zadd(fenced, 1, account_id);
    await sweepSubscriptions(used.deps);
    expect(await published()).to.equal('https://chat.example.com/after');
  });
});
