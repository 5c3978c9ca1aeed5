import type { RefusedRequest } from '@sluice/contract/delivery/groups';
import { expect } from 'chai';
import { rowOfRefusal } from '../../services/worker/src/delivery-log/delivery-rows.ts';
import { readRefusals } from '../../services/worker/src/take/read-refusals.ts';

describe('a request that was not applied', () => {
  const refusal: RefusedRequest = {
    ...{ delivery_id: 'dlv_1', request_id: 'req_1', source_id: 'src_1', account_id: 'acc_1', received_at: 1 },
    ...{ action: null, title: null, code: 'no_rule', reason: 'No rule.' },
  };

  for (const [code, outcome] of [
    ['no_rule', 'ignored'],
    ['ignored_by_rule', 'ignored'],
    ['mapping_failed', 'failed'],
  ] as const)
    it(`has a row with 200 and ${outcome} for ${code}`, () => {
      const { members } = readRefusals({ v: 5, group_id: 'grp_1', refusals: [{ ...refusal, code }] }, '1');
      expect(members[0]?.status).to.equal('readable');
      const row = rowOfRefusal({ ...refusal, code }, 2);
      expect(row).to.include({ http_status: 200, outcome, code: null, reason: 'No rule.', sequence: null });
    });

  it('is a rejection for the code of a problem', () => {
    const row = rowOfRefusal({ ...refusal, code: 'validation_failed' }, 2);
    expect(row).to.include({ http_status: 400, outcome: 'rejected', code: 'validation_failed' });
  });
});
