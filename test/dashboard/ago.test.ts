import { expect } from 'chai';
import { ago, clockFor, logged } from '../../services/dashboard/src/ui/time.ts';

describe('dashboard: relative times', () => {
  const tick = Date.parse('2026-11-25T10:00:00Z');
  const at = (seconds: number) => new Date(tick + seconds * 1000).toISOString();
  /** Formats a time `later` seconds after the last tick of the page's clock. */
  const told = (iso: string, later: number) => ago(iso, clockFor(iso, tick, tick + later * 1000));

  it('never shows a past time as future, even if it is later than the last clock tick', () => {
    expect(told(at(3), 4)).to.equal('just now');
    expect(told(at(4), 4)).to.equal('just now');
    expect(told(at(-10), 4), 'relative to the tick, like all others').to.equal('10s ago');
  });

  it('shows a future time as future', () => {
    expect(told(at(60), 4)).to.equal('in 1m');
    expect(told(at(6), 4)).to.equal('in 6s');
  });

  it('shows log rows older than an hour with their day and time', () => {
    const row = (minutes: number) => logged(at(-60 * minutes), tick);
    expect(row(5)).to.equal('5m ago');
    expect(row(75)).to.match(/^2[45] Nov, \d\d:\d\d$/);
    expect(row(4 * 24 * 60))
      .to.match(/^2[01] Nov, \d\d:\d\d$/)
      .and.not.equal(row(4 * 24 * 60 + 1));
    expect(row(40 * 24 * 60)).to.match(/^1[56] Oct 2026$/);
  });
});
