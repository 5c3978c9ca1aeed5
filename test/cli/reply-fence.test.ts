import { replyId } from '@sluice/outbound/subscriptions/reply-id';
import { sweepSubscriptions } from '@sluice/outbound/subscriptions/sweep';
import { createShards } from '@sluice/redis/shards/shards';
import { expect } from 'chai';
import { changeReplyOf } from '../../services/cli/src/publish-reply.ts';
import type { Stack } from '../../services/cli/src/stack.ts';
import { startMongoProxy } from '../support/mongo-proxy.ts';
import { startSluice } from './running.ts';
import { useInstallation } from './support.ts';
import { useSubscriptions } from './use-subscriptions.ts';

/** The message that confirms an audit entry, behind the change. */
const CONFIRMATION = /update\0.{4}audit_log\0/s;
const URL = 'https://chat.example.com/replies';

describe('a change of the reply URL or secret by sluice', function () {
  this.timeout(120_000);
  const used = useInstallation();
  const at = useSubscriptions(used);

  /** Makes the fence of a process that has died expire now, instead of after 15 s. */
  async function endFence(): Promise<void> {
    const { subscriptions, fenced } = createShards(used.env.SLUICE_NAMESPACE ?? '', 1).first;
    const list = subscriptions('demo');
    const [fence = ''] = (await used.redis.hkeys(list)).filter((name) => name.startsWith('fence:'));
    await used.redis.hset(list, { [fence]: 1, fenced_until: 1 });
    await used.redis.zadd(fenced, 1, 'demo');
  }

  for (const [command, options, changed] of [
    ['update', '--reply-url https://chat.example.com/other', 'target_url'],
    ['rotate-reply-secret', '--overlap 0', 'secrets'],
  ] as const)
    it(`is published by a service if the command is killed behind it: channel ${command}`, async () => {
      const [made] = await used.json(`channel create --name Chat --reply-url ${URL}`);
      const id = String(made?.channel_id);
      const before = await at.publishedOf(replyId(id));
      const proxy = await startMongoProxy(used.env.MONGO_URL as string);
      const run = startSluice(['channel', command, id, ...options.split(' ')], {
        ...{ ...used.env, MONGO_URL: proxy.url },
      });
      try {
        await Promise.race([proxy.holdAt(CONFIRMATION), run.exited]);
        await run.end('SIGKILL');
      } finally {
        await proxy.close();
      }
      expect(await at.publishedOf(replyId(id))).to.deep.equal(before);
      expect((await at.deps.subscriptionDirectory.version('demo')).status, run.stderr()).to.equal('fenced');
      await endFence();
      await sweepSubscriptions(at.deps);
      const after = await at.publishedOf(replyId(id));
      expect(after?.[changed]).to.not.deep.equal(before?.[changed]);
    });

  const channel = { source_id: 'chn_1', account_id: 'acc_1' } as never;
  const timeout = () => Promise.reject(new Error('Command timed out'));
  const fenced = () => Promise.resolve({ token: 't', run: 'r', changes: 0 });
  for (const [when, directory, change, expected] of [
    [
      'before the change',
      { fence: timeout },
      async () => 1,
      /Nothing was changed\. Run this command again\.$/,
    ],
    ['within the change', { fence: fenced }, timeout, /^Command timed out$/],
    ['behind the change', { fence: fenced, publish: timeout }, async () => 1, /chn_1 is stored\. .*again\.$/],
  ] as const)
    it(`says what became of it when Redis stops responding ${when}`, async () => {
      const deps = {
        subscriptionDirectory: directory,
        sources: { findSource: async () => undefined },
        subscriptions: { listSubscriptions: async () => [] },
        ...{ now: () => 0, sleep: async () => undefined },
      };
      const stack = { publishing: async () => deps } as unknown as Stack;
      const failure = await changeReplyOf(stack, () => 0, channel, change).catch((error: Error) => error);
      expect((failure as Error).message).to.match(expected);
    });
});
