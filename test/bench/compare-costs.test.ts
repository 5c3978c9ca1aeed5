import { expect } from 'chai';
import { compareCosts, failureOf } from '../../bench/support/compare-costs.ts';

const costs = (ingress: number, worker: number, api: number) => ({
  'event: ingress': ingress,
  'event: worker': worker,
  'lead: api': api,
});
const before = [costs(40, 60, 200), costs(80, 120, 400), costs(40, 60, 200)];
const changed = (ingress: number, worker: number, api: number) =>
  before.map((run) =>
    costs(run['event: ingress'] * ingress, run['event: worker'] * worker, run['lead: api'] * api),
  );

describe('bench: the guard compares the costs of two commits', () => {
  it('within each round, so that a slow round changes no ratio', () => {
    const rows = compareCosts({ before, after: changed(1, 1.5, 1) });
    const ratios = Object.fromEntries(rows.map(({ name, ratio }) => [name, Number(ratio.toFixed(6))]));
    expect(ratios).to.deep.equal({
      'event: ingress': 1,
      'event: worker': 1.5,
      'lead: api': 1,
      'event: all': 1.3,
    });
    expect(Math.max(...rows.map((row) => row.spread))).to.be.below(1e-9);
  });

  it('and fails above 3 % of the ingress, of a lead, or of all parts of an event', () => {
    expect(failureOf(compareCosts({ before, after: changed(1.04, 0.9, 1) }))).to.include(
      'event: ingress 1.040',
    );
    expect(failureOf(compareCosts({ before, after: changed(1, 1, 1.05) }))).to.include('lead: api 1.050');
    expect(failureOf(compareCosts({ before, after: changed(1, 1.06, 1) }))).to.include('event: all 1.036');
  });

  it('and passes up to 3 %, and when one part costs what another saves', () => {
    expect(failureOf(compareCosts({ before, after: changed(1.02, 1.02, 1.02) }))).to.equal(undefined);
    expect(failureOf(compareCosts({ before, after: changed(0.9, 1.06, 1) }))).to.equal(undefined);
  });
});
