import { logFitOf, wants } from '@sluice/outbound/log/wants';
import type { OutboundChange } from '@sluice/store/outbound/outbound-changes';
import { expect } from 'chai';
import { change, type Published, useCursors } from './support/use-cursors.ts';

const KINDS = ['lead.created', 'lead.updated', 'conversation.reply', 'event.created'] as const;
const AT = 1_790_000_000_000;

describe('what waits in the log', () => {
  const { publishAll, append, store, subscription } = useCursors();

  /** The same changes for each: of each kind, with and without values that filters compare, and from before the subscription. */
  async function appended() {
    await publishAll({});
    const changes = KINDS.flatMap((kind): OutboundChange[] => [
      change(`${kind} plain`, { kind }),
      change(`${kind} won`, { kind, stage: 'won', source_id: 'src_1' }),
      change(`${kind} of a channel`, { kind, channel_id: 'chn_1' }),
      change(`${kind} older`, { kind, stage: 'won', at: AT - 1 }),
    ]);
    const last = await append(...changes);
    const first = last - changes.length + 1;
    return { last, changes: changes.map((one, n) => ({ ...one, number: first + n })) };
  }

  const cases: readonly (readonly [name: string, (numberOf: (n: number) => number) => Published])[] = [
    ['everything', () => ({})],
    ['some kinds', () => ({ events: ['lead.created', 'event.created'] })],
    ['a filter', () => ({ filter: { stage: 'won', source_id: 'src_1' } })],
    ['the replies of a channel', () => ({ kind: 'reply', filter: { channel_id: 'chn_1' } })],
    [
      'what was asked for before two edits, and nothing of a dead key',
      (numberOf) => ({
        events: ['lead.updated', 'event.created'],
        earlier: [
          { to: numberOf(2), events: ['lead.created'], filter: {} },
          { to: numberOf(5), events: ['*'], filter: { stage: 'won' } },
          { to: numberOf(12), events: [], filter: {} },
        ],
      }),
    ],
  ];
  for (const [name, asked] of cases)
    it(`is counted and listed as a turn reads it: ${name}`, async () => {
      const { changes, last } = await appended();
      const own = subscription({ created_at: AT, ...asked((n) => changes[n]?.number ?? 0) });
      const query = { account_id: own.account_id, after: 0, upTo: last, fit: logFitOf(own), limit: 100 };
      const read = changes.filter((one) => wants(own, one));
      const listed = await store().outboundChanges.newestFitting(query);
      expect(listed.map(({ change_id }) => change_id)).to.deep.equal(
        read.map(({ change_id }) => change_id).reverse(),
      );
      expect(await store().outboundChanges.countFitting(query)).to.deep.equal({
        ...{ count: read.length, first: read[0]?.number, isCut: false },
      });
      const behind = { ...query, after: read[0]?.number ?? 0 };
      expect(await store().outboundChanges.countFitting(behind), 'behind a cursor').to.deep.equal({
        ...{ count: read.length - 1, first: read[1]?.number ?? null, isCut: false },
      });
    });

  it('is looked for in a bounded part of the log, from either end', async () => {
    const { changes, last } = await appended();
    const { account_id, ...rest } = subscription();
    const fit = logFitOf({ account_id, ...rest });
    const query = { account_id, after: 0, upTo: last, fit, limit: 100, lookAt: 4 };
    expect(await store().outboundChanges.countFitting(query)).to.deep.equal({
      ...{ count: 4, first: changes[0]?.number, isCut: true },
    });
    const listed = await store().outboundChanges.newestFitting(query);
    expect(listed.map(({ number }) => number)).to.deep.equal([last, last - 1, last - 2, last - 3]);
  });
});
