import { expect } from 'chai';
import { REFUSALS, reasonOf } from '../../services/ingress/src/answer/refusal.ts';

describe('ingress: the reason of a rejection in the delivery log', () => {
  const { code, detail } = REFUSALS.bad_request;

  it('names each wrong field, or the body if it is wrong as a whole', () => {
    const errors = [
      { pointer: '', detail: 'Send an object.' },
      { pointer: '/event/title', detail: 'Send a string.' },
    ];
    expect(reasonOf({ code, detail, errors })).to.equal(
      '(body): Send an object. /event/title: Send a string.',
    );
    expect(reasonOf({ code, detail })).to.equal(detail);
  });

  it('has at most 1,000 characters, and never half a character', () => {
    for (const pointer of ['/a', '/ab']) {
      const reason = reasonOf({ code, detail, errors: [{ pointer, detail: '🎉'.repeat(1000) }] });
      expect(reason).to.have.length(1000);
      expect(reason.isWellFormed(), pointer).to.equal(true);
    }
  });
});
