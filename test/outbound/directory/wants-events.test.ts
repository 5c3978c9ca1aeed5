import { expect } from 'chai';
import { ACCOUNT, subscription, useDirectory } from './support/use-directory.ts';

const NOBODY = async () => new Set<string>();
const STORED = async () => new Set([ACCOUNT]);

describe('the accounts that ask for events', () => {
  const room = useDirectory();

  const wants = async (load?: (ids: readonly string[]) => Promise<ReadonlySet<string>>) =>
    (await room.directory().wantsEvents([ACCOUNT], load)).has(ACCOUNT);
  const publication = (wantsEvents: boolean) => ({ put: [], remove: [], wantsEvents });
  const calm = () => room.directory().republish(ACCOUNT, async () => ({ put: [], wantsEvents: false }));

  it('are known without MongoDB after a change, so that ingest without subscriptions costs nothing', async () => {
    await calm();
    const { directory } = room;
    await directory().publish(ACCOUNT, await directory().fence(ACCOUNT), publication(false));
    const forbidden = async () => {
      throw new Error('MongoDB was read');
    };
    expect(await wants(forbidden)).to.equal(false);
    await directory().publish(ACCOUNT, await directory().fence(ACCOUNT), publication(true));
    expect(await wants(forbidden)).to.equal(true);
  });

  it('include one whose subscription was published before the older list of another change', async () => {
    await calm();
    const directory = room.directory();
    // It reads the list before the subscription is written.
    const other = await directory.fence(ACCOUNT);
    const creating = await directory.fence(ACCOUNT);
    await directory.publish(ACCOUNT, creating, publication(true));
    await directory.publish(ACCOUNT, other, publication(false));
    expect(await wants(STORED)).to.equal(true);
    expect(await wants()).to.equal(true);
  });

  for (const first of ['the create', 'the other change'])
    it(`include one whose create dies after its write, while another change runs (${first} began first)`, async () => {
      await calm();
      const directory = room.directory();
      if (first === 'the create') await directory.fence(ACCOUNT);
      const other = await directory.fence(ACCOUNT);
      if (first !== 'the create') await directory.fence(ACCOUNT);
      await directory.publish(ACCOUNT, other, publication(false));
      expect(await wants(STORED)).to.equal(true);
    });

  it('include one whose create dies after its write, alone', async () => {
    await calm();
    await room.directory().fence(ACCOUNT);
    // Before the write MongoDB says no. That must not be remembered.
    expect(await wants(NOBODY)).to.equal(false);
    expect(await wants(STORED)).to.equal(true);
  });

  it('include one that was published after a read of MongoDB had begun', async () => {
    const directory = room.directory();
    const late = async () => {
      const creating = await directory.fence(ACCOUNT);
      await directory.publish(ACCOUNT, creating, publication(true));
      // A change without a complete list says nothing about the others.
      await directory.publish(ACCOUNT, await directory.fence(ACCOUNT), publication(false));
      await room.redis().hdel(room.keyspace().subscriptions(ACCOUNT), 'version');
      await directory.publish(ACCOUNT, await directory.fence(ACCOUNT), publication(false));
      return new Set<string>();
    };
    expect(await wants(late)).to.equal(false);
    expect(await wants(STORED)).to.equal(true);
  });

  it('are remembered again once a fence has expired', async () => {
    await calm();
    const directory = room.directory();
    await directory.fence(ACCOUNT);
    const list = room.keyspace().subscriptions(ACCOUNT);
    for (const name of await room.redis().hkeys(list))
      if (name.startsWith('fence')) await room.redis().hset(list, name, 1);
    // The first read may have begun before the fence ended.
    for (let reads = 0; reads < 2; reads++) expect(await wants(NOBODY)).to.equal(false);
    expect(await wants()).to.equal(false);
    await directory.republish(ACCOUNT, async () => ({ put: [subscription()], wantsEvents: true }));
    expect(await wants(NOBODY)).to.equal(true);
  });
});
