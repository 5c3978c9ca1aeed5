import { letterFields } from '@sluice/accounts/dead-letters/dead-letters';
import { expect } from 'chai';

describe('management: what people see of a dead letter', () => {
  const owner = { account_id: 'acc_1', source_id: 'src_1' };
  for (const [what, letter, seen] of [
    [
      'an action of an event',
      { ...owner, action: { kind: 'upsert', identity: { title: 'Yoga' } } },
      { kind: 'upsert', title: 'Yoga' },
    ],
    [
      'an action of a conversation with a subject',
      { ...owner, action: { kind: 'message', conversation: { external_id: 'c-1', subject: 'Prices' } } },
      { kind: 'message', title: 'Prices' },
    ],
    [
      'an action of a conversation without one',
      { ...owner, action: { kind: 'open', conversation: { external_id: 'c-1' } } },
      { kind: 'open', title: 'c-1' },
    ],
    [
      'a refused request',
      { ...owner, action: 'message', title: 'Prices', code: 'rate_limited' },
      { kind: 'message', title: 'Prices' },
    ],
    [
      'fields of other types',
      { ...owner, action: { kind: 1, identity: { title: {} } } },
      { kind: null, title: null },
    ],
  ] as const)
    it(`is the kind and title of ${what}`, () => {
      expect(letterFields({ action: letter as never })).to.deep.equal({ ...owner, ...seen });
    });

  it('is nothing of what is no object', () => {
    const nothing = { account_id: null, source_id: null, kind: null, title: null };
    for (const letter of [null, 'text', 7])
      expect(letterFields({ action: letter as never })).to.deep.equal(nothing);
  });
});
