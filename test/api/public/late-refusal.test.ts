import { refusalOf } from '@sluice/api/http/refusal-of';
import { lateRefusal, type SentAs } from '@sluice/api/public/layer/time-budget';
import { PendingLimitError } from '@sluice/leads/change/pending-limit';
import { NotConnectedError } from '@sluice/store/connection/mongo-away';
import { expect } from 'chai';

const textFor = (method: SentAs['method'], headers: Partial<SentAs> = {}) =>
  lateRefusal({ method, hasIdempotencyKey: false, hasIfMatch: false, ...headers }).detail;

describe('public API: the text of a 503', () => {
  it('asks for the same Idempotency-Key only where the request had one and its method accepts it', () => {
    expect(textFor('POST', { hasIdempotencyKey: true })).to.contain('with the same Idempotency-Key');
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      expect(textFor(method, { hasIdempotencyKey: true }), method).to.not.contain('Idempotency-Key');
      expect(textFor(method), method).to.contain('Send the request again.');
    }
  });

  it('warns of a second effect after a POST without an Idempotency-Key', () => {
    expect(textFor('POST')).to.contain('may take effect twice');
  });

  it('mentions a change only where there may be one', () => {
    expect(textFor('GET')).to.not.contain('change');
    for (const method of ['POST', 'PATCH', 'DELETE'] as const)
      expect(textFor(method), method).to.contain('may or may not have taken effect');
  });

  it('asks for the new ETag after a PATCH with If-Match, whose old one may not fit any more', () => {
    expect(textFor('PATCH', { hasIfMatch: true })).to.contain('with the new ETag');
  });

  for (const error of [
    new NotConnectedError(),
    new Error('Command timed out'),
    Object.assign(new Error("OOM command not allowed when used memory > 'maxmemory'."), {
      name: 'ReplyError',
    }),
    new PendingLimitError('7 changes of lead_1 are not published yet'),
  ])
    it(`says to try again, and leaves the server to its operator: ${error.message}`, () => {
      const { detail } = refusalOf(error);
      expect(detail).to.match(/Try again (in a few seconds|later)\./);
      expect(detail).to.contain('ask the operator to ');
      expect(detail).to.not.contain('on the server');
    });
});
