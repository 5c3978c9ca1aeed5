import { expect } from 'chai';
import { isPast, occurrences } from '../../services/dashboard/src/pages/events/occurrences.ts';

const at = (...parts: [number, number, number, number?]) => new Date(...parts);
const days = (recurring: 'daily' | 'weekly' | 'monthly' | 'yearly' | null, start: Date, more = {}) =>
  occurrences(
    { starts_at: start.toISOString(), recurring, ...more },
    at(2027, 2, 1).getTime(),
    at(2027, 3, 1).getTime(),
  ).map((date) => date.getDate());

describe('dashboard: the days of an event in a month', () => {
  it('are those of its series, from the first start on', () => {
    expect(days('weekly', at(2019, 0, 7, 18))).to.deep.equal([1, 8, 15, 22, 29]);
    expect(days('weekly', at(2027, 2, 17, 18))).to.deep.equal([17, 24, 31]);
    expect(days('daily', at(2020, 5, 5, 9))).to.have.length(31);
    expect(days('monthly', at(2026, 0, 15, 9))).to.deep.equal([15]);
    expect(days('yearly', at(2000, 2, 9, 9))).to.deep.equal([9]);
    expect(days(null, at(2027, 2, 9, 9))).to.deep.equal([9]);
    expect(days(null, at(2027, 3, 1))).to.deep.equal([]);
  });

  it('leave out what a month does not have, and what follows the end of the series', () => {
    const february = occurrences(
      { starts_at: at(2026, 0, 31, 9).toISOString(), recurring: 'monthly' },
      at(2027, 1, 1).getTime(),
      at(2027, 2, 1).getTime(),
    );
    expect(february).to.deep.equal([]);
    const ended = { recurs_until: at(2027, 2, 8, 18).toISOString() };
    expect(days('weekly', at(2019, 0, 7, 18), ended)).to.deep.equal([1, 8]);
  });
});

describe('dashboard: whether an event is past', () => {
  const event = { starts_at: '2026-01-01T10:00:00Z', ends_at: null, recurring: null };
  const now = Date.parse('2026-01-02T00:00:00Z');

  it('depends on its end, or on the end of its series', () => {
    expect(isPast(event, now)).to.equal(true);
    expect(isPast({ ...event, ends_at: '2026-01-03T10:00:00Z' }, now)).to.equal(false);
    expect(isPast({ ...event, recurring: 'weekly' }, now)).to.equal(false);
    expect(isPast({ ...event, recurring: 'weekly', recurs_until: '2026-01-01T10:00:00Z' }, now)).to.equal(
      true,
    );
  });
});
