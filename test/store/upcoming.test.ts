import type { EventContent } from '@sluice/contract/event/event-fields';
import { nextOccurrence } from '@sluice/contract/event/next-occurrence';
import { DAY_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import { firstWrite, SEQUENCE, storedEvent, useStore } from './support.ts';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const LONG_AGO = Date.parse('2019-01-07T10:00:00Z');

describe('store: which events are upcoming', () => {
  const used = useStore();

  const event = (title: string, starts_at: number, value: EventContent = {}) =>
    firstWrite(
      storedEvent(
        { title, starts_at },
        {
          state: {
            content: { sequence: SEQUENCE, value },
            status: { sequence: SEQUENCE, value: 'upcoming' },
            deleted: null,
            created: SEQUENCE,
          },
        },
      ),
    );

  before(async () => {
    await used.store.events.writeEvents([
      event('series without an end', LONG_AGO, { recurring: 'weekly' }),
      event('series that ended', LONG_AGO + 1, { recurring: 'daily', recurs_until: NOW - 1 }),
      event('series on its last day', LONG_AGO + 2, { recurring: 'yearly', recurs_until: NOW }),
      event('past', NOW - DAY_MS),
      event('future', NOW + DAY_MS),
      event('series that begins later', NOW + 2 * DAY_MS, {
        recurring: 'monthly',
        recurs_until: NOW + 90 * DAY_MS,
      }),
    ]);
  });

  /** By the next start. */
  const NEXT = ['series on its last day', 'future', 'series that begins later', 'series without an end'];
  const PAST = ['series that ended', 'past'];
  const find = async (is: 'upcoming' | 'past', more: { text?: string } = {}) => {
    const filter = { source_ids: ['src_1'], when: { is, now: NOW }, ...more };
    return (await used.store.eventSearch.pageEvents(filter, { descending: false, limit: 50 })).items;
  };

  for (const [is, titles] of [
    ['upcoming', NEXT],
    ['past', PAST],
  ] as const)
    it(`finds as ${is}, also with a text to search for: ${titles.join(', ')}`, async () => {
      const titlesOf = async (more?: { text: string }) => (await find(is, more)).map(({ title }) => title);
      expect(await titlesOf()).to.deep.equal(titles);
      expect(await titlesOf({ text: 'series' })).to.deep.equal(
        titles.filter((one) => one.includes('series')),
      );
    });

  it('has each upcoming event once on pages of one, also of many sources', async () => {
    const many = Array.from({ length: 250 }, (_, index) => `src_other_${index}`);
    const filter = { source_ids: [...many, 'src_1'], when: { is: 'upcoming', now: NOW } } as const;
    const found: string[] = [];
    let after: { starts_at: number; event_id: string } | undefined;
    for (let more = true; more; ) {
      const page = await used.store.eventSearch.pageEvents(filter, {
        ...{ descending: false, limit: 1 },
        ...(after !== undefined && { after }),
      });
      const [event] = page.items;
      if (event === undefined) break;
      found.push(event.title);
      after = { starts_at: nextOccurrence(event, NOW), event_id: event.event_id };
      more = page.more;
    }
    expect(found).to.deep.equal(NEXT);
  });

  it('keeps the end of a series with its event', async () => {
    const [series] = await find('past');
    expect(series).to.include({ recurs_until: NOW - 1 });
    const { events } = await used.store.events.loadPortion([series?.event_id as string]);
    expect([...events.values()][0]?.state.content?.value).to.deep.equal({
      recurring: 'daily',
      recurs_until: NOW - 1,
    });
  });
});
