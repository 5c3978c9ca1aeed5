import { expect } from 'chai';
import { createWantedAccounts } from '../../services/worker/src/apply/wanted-accounts.ts';

describe('the accounts whose changes of events are kept', () => {
  function setUp() {
    const wanted = new Set<string>();
    const asked: string[][] = [];
    const clock = { now: 1_000_000 };
    let answer = async (ids: string[]): Promise<ReadonlySet<string>> =>
      new Set(ids.filter((id) => wanted.has(id)));
    const wantedAccounts = createWantedAccounts({
      read: (ids) => {
        asked.push(ids);
        return answer(ids);
      },
      now: () => clock.now,
    });
    const keeps = async (...ids: string[]) => {
      const keep = await wantedAccounts.ask(new Set(ids));
      return ids.filter(keep);
    };
    const respond = (next: typeof answer) => {
      answer = next;
    };
    return { wanted, asked, clock, keeps, respond, wantedAccounts };
  }

  it('are asked for once a second, all of a run together', async () => {
    const { wanted, asked, clock, keeps, wantedAccounts } = setUp();
    wanted.add('acc_2');
    expect(await keeps('acc_1', 'acc_2')).to.deep.equal(['acc_2']);
    clock.now += 999;
    expect(await keeps('acc_2', 'acc_1')).to.deep.equal(['acc_2']);
    expect(asked).to.deep.equal([['acc_1', 'acc_2']]);
    expect(wantedAccounts.ask(new Set(['acc_1'])), 'a known result').to.be.a('function');
    expect(wantedAccounts.isCurrent('acc_1')).to.equal(true);
    clock.now += 1;
    expect(wantedAccounts.isCurrent('acc_1')).to.equal(false);
    await keeps('acc_1');
    expect(asked).to.have.length(2);
  });

  it('include one whose first subscription is a second old, even if MongoDB responded late before', async () => {
    const { wanted, clock, keeps, respond } = setUp();
    respond(async () => {
      // MongoDB decides at once, and its response takes 400 ms.
      clock.now += 400;
      return new Set();
    });
    expect(await keeps('acc_1')).to.deep.equal([]);
    respond(async (ids) => new Set(ids.filter((id) => wanted.has(id))));
    wanted.add('acc_1');
    clock.now += 600;
    expect(await keeps('acc_1')).to.deep.equal(['acc_1']);
  });

  it('include all while MongoDB does not respond', async () => {
    const { keeps, respond, clock } = setUp();
    expect(await keeps('acc_1')).to.deep.equal([]);
    respond(async () => {
      throw new Error('Redis is away');
    });
    clock.now += 1000;
    expect(await keeps('acc_1')).to.deep.equal(['acc_1']);
    respond(() => new Promise(() => {}));
    expect(await keeps('acc_1'), 'no response').to.deep.equal(['acc_1']);
    respond(async () => new Set());
    expect(await keeps('acc_1'), 'once Redis is back').to.deep.equal([]);
  });
});
