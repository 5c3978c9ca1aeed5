import { answerText } from '@sluice/ingress/http/plain/plain-incoming';
import { expect } from 'chai';

describe('ingress: the response to a plain request', () => {
  it('has a new Date header in each second', () => {
    const at = Date.UTC(2026, 10, 21, 10, 59, 59);
    const dates = [at, at + 999, at + 1000].map(
      (nowMs) => /\r\nDate: ([^\r]+)\r\n/.exec(answerText(200, { 'content-length': 2 }, '{}', nowMs))?.[1],
    );
    expect(dates).to.deep.equal([
      'Sat, 21 Nov 2026 10:59:59 GMT',
      'Sat, 21 Nov 2026 10:59:59 GMT',
      'Sat, 21 Nov 2026 11:00:00 GMT',
    ]);
  });
});
