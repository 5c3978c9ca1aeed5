import { nextOccurrence, type Series } from '@sluice/contract/event/next-occurrence';
import { DAY_MS } from '@sluice/contract/time/durations';
import { expect } from 'chai';
import fc from 'fast-check';

const at = (text: string) => Date.parse(text);

describe('the next start of a series', () => {
  for (const [what, first, recurring, now, next, until] of [
    ['once', '2026-01-01T10:00Z', null, '2027-01-01T00:00Z', '2026-01-01T10:00Z', null],
    ['before the first start', '2027-03-01T10:00Z', 'daily', '2027-01-01T00:00Z', '2027-03-01T10:00Z', null],
    ['daily', '2019-01-07T10:00Z', 'daily', '2027-01-01T11:00Z', '2027-01-02T10:00Z', null],
    ['exactly now', '2019-01-07T10:00Z', 'weekly', '2027-01-04T10:00Z', '2027-01-04T10:00Z', null],
    ['weekly', '2019-01-07T10:00Z', 'weekly', '2027-01-04T10:01Z', '2027-01-11T10:00Z', null],
    ['monthly', '2019-01-15T10:00Z', 'monthly', '2027-01-15T10:01Z', '2027-02-15T10:00Z', null],
    [
      'monthly, in a month without the day',
      '2019-01-31T10:00Z',
      'monthly',
      '2027-02-01T00:00Z',
      '2027-03-31T10:00Z',
      null,
    ],
    ['yearly', '2019-05-01T10:00Z', 'yearly', '2027-05-01T11:00Z', '2028-05-01T10:00Z', null],
    ['yearly on 29 February', '2024-02-29T10:00Z', 'yearly', '2026-01-01T00:00Z', '2028-02-29T10:00Z', null],
    ['over', '2019-01-07T10:00Z', 'weekly', '2027-01-04T10:01Z', '2020-01-06T10:00Z', '2020-01-06T10:00Z'],
  ] as const)
    it(`${what}: ${next}`, () => {
      const series: Series = {
        ...{ starts_at: at(first), recurring },
        recurs_until: until === null ? null : at(until),
      };
      expect(new Date(nextOccurrence(series, at(now))).toISOString()).to.equal(
        new Date(at(next)).toISOString(),
      );
    });

  for (const [what, first, time_zone, recurring, now, next] of [
    ['in winter', '2026-07-06T08:00Z', 'Europe/Berlin', 'weekly', '2026-12-01T00:00Z', '2026-12-07T09:00Z'],
    ['in summer', '2026-01-05T09:00Z', 'Europe/Berlin', 'daily', '2026-07-01T08:30Z', '2026-07-02T08:00Z'],
    [
      'of another day',
      '2026-01-05T05:30Z',
      'America/New_York',
      'weekly',
      '2026-07-01T00:00Z',
      '2026-07-06T04:30Z',
    ],
    [
      'of the first day',
      '2026-01-31T23:30Z',
      'Europe/Berlin',
      'monthly',
      '2026-06-10T00:00Z',
      '2026-06-30T22:30Z',
    ],
    // The clocks go forward at 01:00 UTC on 29 March 2026: 02:30 does not exist.
    [
      'that is skipped',
      '2026-01-04T01:30Z',
      'Europe/Berlin',
      'weekly',
      '2026-03-29T01:10Z',
      '2026-03-29T01:30Z',
    ],
    // They go back at 01:00 UTC on 25 October 2026: 02:30 comes twice, at 00:30 and 01:30 UTC.
    [
      'that comes twice',
      '2026-07-05T00:30Z',
      'Europe/Berlin',
      'weekly',
      '2026-10-25T00:45Z',
      '2026-11-01T01:30Z',
    ],
    [
      'without summer time',
      '2026-01-05T01:00Z',
      'Asia/Tokyo',
      'weekly',
      '2026-07-01T00:00Z',
      '2026-07-06T01:00Z',
    ],
    [
      'of an unknown zone',
      '2026-01-05T09:00Z',
      'Nowhere/At_all',
      'weekly',
      '2026-07-01T00:00Z',
      '2026-07-06T09:00Z',
    ],
  ] as const)
    it(`is at the time of day of its zone: ${what}`, () => {
      const series = { starts_at: at(first), recurring, recurs_until: null, time_zone };
      expect(new Date(nextOccurrence(series, at(now))).toISOString()).to.equal(
        new Date(at(next)).toISOString(),
      );
    });

  it('is never before now, and at most eight years and a day later', () => {
    const instants = fc.integer({ min: at('1950-01-01'), max: at('2150-01-01') });
    const recurrences = fc.constantFrom('daily', 'weekly', 'monthly', 'yearly');
    fc.assert(
      fc.property(instants, instants, recurrences, (starts_at, now, recurring) => {
        const next = nextOccurrence({ starts_at, recurring, recurs_until: null }, now);
        expect(next).to.be.at.least(Math.max(now, starts_at));
        if (starts_at < now) expect(next - now).to.be.at.most(8 * 366 * DAY_MS);
        expect(new Date(next).toISOString().slice(11)).to.equal(new Date(starts_at).toISOString().slice(11));
      }),
    );
  });
});
