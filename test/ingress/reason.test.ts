import { expect } from 'chai';
import { REFUSALS, reasonOf } from '../../services/ingress/src/answer/refusal.ts';

describe('ingress: the reason of a refusal in the delivery log', () => {
  const { code, detail } = REFUSALS.bad_request;

  it('names each field that is wrong, and the body where that is wrong as a whole', () => {
    const errors = [
      { pointer: '', detail: 'Send an object.' },
      { pointer: '/event/title', detail: 'Send a string.' },
    ];
    expect(reasonOf({ code, detail, errors })).to.equal(
      '(body): Send an object. /event/title: Send a string.',
    );
    expect(reasonOf({ code, detail })).to.equal(detail);
  });

  it('is at most 1,000 characters, and text also where a character is cut', () => {
    for (const pointer of ['/a', '/ab']) {
      const reason = reasonOf({ code, detail, errors: [{ pointer, detail: '🎉'.repeat(1000) }] });
      expect(reason).to.have.length(1000);
      expect(reason.isWellFormed(), pointer).to.equal(true);
    }
  });
});
