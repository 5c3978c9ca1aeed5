import type { UntoldRecord } from '@sluice/store/untold-record';
import { createSweepSegments } from '@sluice/telling/sweep-segments';
import { expect } from 'chai';

describe('sweeping segments', () => {
  const actor = { type: 'system', id: 'test' } as const;
  const change = { sequence: 1, kind: 'lead.created', at: 1, actor, data: {} } as const;
  const record: UntoldRecord = { collection: 'leads', id: 'lead_1', account_id: 'acc_1', changes: [change] };

  /** `untold`: the segments that have a record with an untold change. */
  function setUp(untold: string[], stored: string[]) {
    const [told, removed]: [string[], string[]] = [[], []];
    const clock = { ms: 0 };
    const sweep = createSweepSegments({
      untold: {
        pageSegment: async (segment) => ({
          records: untold.includes(segment) ? [{ ...record, id: segment }] : [],
          unreadable: [],
          next: null,
        }),
      },
      leadSegments: {
        stored: async () => stored,
        remove: async (segment) => void removed.push(segment),
      },
      teller: { tellNow: async (records) => void told.push(...records.map(({ id }) => id)) },
      now: () => clock.ms,
    });
    return { told, removed, clock, sweep: () => sweep(() => false) };
  }

  it('leaves a segment to its owner until the second look', async () => {
    const { told, sweep } = setUp(['a'], ['a']);
    await sweep();
    expect(told).to.deep.equal([]);
    await sweep();
    expect(told).to.deep.equal(['a']);
  });

  it('removes a told segment two minutes after it was first seen, and no other', async () => {
    const { removed, clock, sweep } = setUp(['untold'], ['told', 'untold']);
    await sweep();
    clock.ms = 119_999;
    await sweep();
    expect(removed).to.deep.equal([]);
    clock.ms = 120_000;
    await sweep();
    expect(removed).to.deep.equal(['told']);
  });

  it('tells the other segments when one can not be told', async () => {
    const failing = createSweepSegments({
      untold: {
        pageSegment: async (id) => ({ records: [{ ...record, id }], unreadable: [], next: null }),
      },
      leadSegments: { stored: async () => ['a', 'b'], remove: async () => {} },
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
