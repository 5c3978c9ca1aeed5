import type { RefusedRequest } from '@sluice/contract/delivery/groups';
import { expect } from 'chai';
import { rowOfRefusal } from '../../services/worker/src/delivery-log/delivery-rows.ts';
import { readRefusals } from '../../services/worker/src/take/read-refusals.ts';

describe('a request that was not applied', () => {
  const request = {
    ...{ delivery_id: 'dlv_1', request_id: 'req_1', source_id: 'src_1', account_id: 'acc_1', received_at: 1 },
    ...{ action: null, title: null, reason: 'No rule.' },
  };

  for (const [code, outcome] of [
    ['no_rule', 'ignored'],
    ['ignored_by_rule', 'ignored'],
    ['mapping_failed', 'failed'],
  ] as const)
    it(`has a row with 200 and ${outcome} for ${code}`, () => {
      const mapped = { preset: 'calendly', version: 3, rule: 1 };
      const refusal: RefusedRequest = { ...request, code: null, unapplied: code, mapped };
      const { members } = readRefusals({ v: 5, group_id: 'grp_1', refusals: [refusal] }, '1');
      expect(members[0]?.status).to.equal('readable');
      const row = rowOfRefusal(refusal, 2);
      expect(row).to.deep.include({ http_status: 200, outcome, code: null, unapplied: code, mapped });
      expect(row).to.include({ reason: 'No rule.', sequence: null });
    });

  it('is unreadable without a code that this version knows', () => {
    const refusals = [{ code: null }, { code: null, unapplied: 'later' }, { code: 'later' }].map((code) => ({
      ...request,
      ...code,
    }));
    const { members } = readRefusals({ v: 5, group_id: 'grp_1', refusals }, '1');
    expect(members.map(({ status }) => status)).to.deep.equal(Array(3).fill('unreadable'));
  });

  it('is a rejection for the code of a problem', () => {
    const row = rowOfRefusal({ ...request, code: 'mapping_failed' }, 2);
    expect(row).to.include({ http_status: 400, outcome: 'rejected', code: 'mapping_failed' });
  });
});
