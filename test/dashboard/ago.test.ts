import { expect } from 'chai';
import { ago, clockFor, logged } from '../../services/dashboard/src/ui/time.ts';

describe('browser: times that are told relative to now', () => {
  const tick = Date.parse('2026-11-25T10:00:00Z');
  const at = (seconds: number) => new Date(tick + seconds * 1000).toISOString();
  /** As a page tells it whose clock ticked last at `tick`, so many seconds later. */
  const told = (iso: string, later: number) => ago(iso, clockFor(iso, tick, tick + later * 1000));

  it('what has happened since the clock of the page ticked is not said to come', () => {
    expect(told(at(3), 4)).to.equal('just now');
    expect(told(at(4), 4)).to.equal('just now');
    expect(told(at(-10), 4), 'with the tick, as all others are').to.equal('10s ago');
  });

  it('what is to come is said to', () => {
    expect(told(at(60), 4)).to.equal('in 1m');
    expect(told(at(6), 4)).to.equal('in 6s');
  });

  it('rows of a log that are over an hour old are told by day and time of day, each its own', () => {
    const row = (minutes: number) => logged(at(-60 * minutes), tick);
    expect(row(5)).to.equal('5m ago');
    expect(row(75)).to.match(/^2[45] Nov, \d\d:\d\d$/);
    expect(row(4 * 24 * 60))
      .to.match(/^2[01] Nov, \d\d:\d\d$/)
      .and.not.equal(row(4 * 24 * 60 + 1));
    expect(row(40 * 24 * 60)).to.match(/^1[56] Oct 2026$/);
  });
});
