import { expect } from 'chai';
import { ago, clockFor } from '../../services/dashboard/src/ui/time.ts';

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
});
