import { createSweepSegments } from '@sluice/outbound/publish/sweep-segments';
import type { UntoldRecord } from '@sluice/store/untold/untold-record';
import { expect } from 'chai';

describe('sweeping segments', () => {
  const actor = { type: 'system', id: 'test' } as const;
  const change = { sequence: 1, kind: 'lead.created', at: 1, actor, data: {} } as const;
  const record: UntoldRecord = { collection: 'leads', id: 'lead_1', account_id: 'acc_1', changes: [change] };

  /** `untold`: the segments that have a record with an untold change. */
  function setUp(untold: string[], stored: string[]) {
    const [told, removed, closed]: [string[], string[], string[]] = [[], [], []];
    const clock = { ms: 0 };
    const onPage = { do: () => {} };
    const sweep = createSweepSegments({
      untold: {
        async pageSegment(segment) {
          onPage.do();
          const records = untold.includes(segment) ? [{ ...record, id: segment }] : [];
          return { records, unreadable: [], next: null };
        },
      },
      leadSegments: {
        stored: async () => stored,
        remove: async (segment) => void removed.push(segment),
        close: async (segment) => void closed.push(segment),
      },
      teller: { tellNow: async (records) => void told.push(...records.map(({ id }) => id)) },
      now: () => clock.ms,
    });
    return { told, removed, closed, clock, onPage, sweep: () => sweep(() => false) };
  }

  it('leaves a segment to its owner until the second look', async () => {
    const { told, sweep } = setUp(['a'], ['a']);
    await sweep();
    expect(told).to.deep.equal([]);
    await sweep();
    expect(told).to.deep.equal(['a']);
  });

  const TEN_MINUTES = 600_000;

  it('removes a told segment ten minutes after it was first seen, and closes one with untold changes', async () => {
    const { removed, closed, clock, sweep } = setUp(['untold'], ['told', 'untold']);
    for (; clock.ms < TEN_MINUTES; clock.ms += 30_000) await sweep();
    clock.ms = TEN_MINUTES - 1;
    await sweep();
    expect([removed, closed]).to.deep.equal([[], []]);
    clock.ms = TEN_MINUTES;
    await sweep();
    expect([removed, closed]).to.deep.equal([['told'], ['untold']]);
    await sweep();
    expect(closed, 'once').to.deep.equal(['untold']);
  });

  it('waits ten minutes again after it was frozen, or after sweeps that failed', async () => {
    const { removed, clock, sweep } = setUp([], ['told']);
    for (; clock.ms < TEN_MINUTES; clock.ms += 30_000) await sweep();
    clock.ms += 60_000;
    const thawed = clock.ms;
    for (; clock.ms < thawed + TEN_MINUTES; clock.ms += 30_000) await sweep();
    expect(removed).to.deep.equal([]);
    await sweep();
    expect(removed).to.deep.equal(['told']);
  });

  it('does not count the time in which it was frozen while it read a segment', async () => {
    const { removed, clock, onPage, sweep } = setUp([], ['told', 'also told']);
    await sweep();
    onPage.do = () => {
      clock.ms += TEN_MINUTES;
      onPage.do = () => {};
    };
    await sweep();
    await sweep();
    expect(removed).to.deep.equal([]);
  });

  it('tells the other segments when one can not be told', async () => {
    const failing = createSweepSegments({
      untold: {
        pageSegment: async (id) => ({ records: [{ ...record, id }], unreadable: [], next: null }),
      },
      leadSegments: { stored: async () => ['a', 'b'], remove: async () => {}, close: async () => {} },
      teller: {
        async tellNow([one]) {
          told.push(one?.id ?? '');
          if (one?.id === 'a') throw new Error('away');
        },
      },
    });
    const told: string[] = [];
    await failing(() => false);
    expect(String(await failing(() => false))).to.equal('Error: away');
    expect(told).to.deep.equal(['a', 'b']);
  });
});
