import { expect } from 'chai';
import { localDay, localMinute } from '../../services/dashboard/src/ui/time.ts';

describe('times for date inputs', () => {
  for (const year of ['0002', '0020', '0202', '2026', '9999'])
    it(`keep the year ${year}, because an input with fewer digits is empty`, () => {
      const local = `${year}-06-03T04:05`;
      expect(localMinute(new Date(local).toISOString())).to.equal(local);
      expect(localDay(Date.parse(local))).to.equal(`${year}-06-03`);
    });

  it('are empty without a time', () => {
    expect(localMinute(undefined)).to.equal('');
    expect(localMinute('yesterday')).to.equal('');
  });
});
