import { describeDetail } from '@sluice/api/deliveries/describe-detail';
import type { Delivery, KeptRequest } from '@sluice/contract/delivery/delivery';
import { HOUR_MS } from '@sluice/contract/time/durations';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import type { Source } from '@sluice/store/sources/source';
import { expect } from 'chai';

const AT = Date.parse('2026-11-21T12:00:00Z');

const REQUEST: KeptRequest = {
  content_type: 'application/json',
  user_agent: '',
  timestamp: '1795262400',
  signature_start: 'sha256=01234567',
  bytes: 2,
  body: '{}',
};

/** The details of a successful delivery, with the given changes. */
function detailOf(given: Partial<Delivery> = {}, sourceGiven: Partial<Source> = {}): DeliveryDetail {
  const row: Delivery = {
    ...{ delivery_id: 'dlv_1', source_id: 'src_1', account_id: 'acc_1', received_at: AT, action: 'upsert' },
    ...{ title: 'Open day', http_status: 200, outcome: 'created', code: null, request_id: 'req_1' },
    ...{ sequence: (AT + 3) * 1000, event_id: 'evt_1', duplicate_of: null, reason: null, count: 1 },
    ...{ applied_at: AT + 20, request: REQUEST },
    ...given,
  };
  const source = { source_id: 'src_1', body_storage: 'all', secret_rotated_at: null, previous_secret: null };
  return describeDetail({
    row,
    source: { ...source, ...sourceGiven } as Source,
    ...{
      reprocessedAs: [],
      previous: null,
      unchanged: null,
      eventsUrl: 'https://events.example.com',
      retentionDays: 30,
    },
    now: AT + HOUR_MS,
  });
}

const stepsOf = ({ timeline }: DeliveryDetail) => timeline.map(({ step, at }) => [step, Date.parse(at) - AT]);

describe('api: delivery details', () => {
  it('contain the times of receipt, admission and application, and when the log deletes it', () => {
    const detail = detailOf();
    expect(stepsOf(detail)).to.deep.equal([
      ['received', 0],
      ['admitted', 3],
      ['applied', 20],
    ]);
    expect(detail.delivery.latency_ms).to.equal(20);
    expect(detail.leaves_at).to.equal('2026-12-21T12:00:00.000Z');
    expect(detail.request.headers, 'only what was sent').to.have.keys(
      'Content-Type',
      'X-Service-Timestamp',
      'X-Service-Signature',
    );
  });

  it('of a duplicate contain the response to the sender, and no admission time', () => {
    const detail = detailOf({ outcome: 'duplicate', duplicate_of: 'dlv_0' });
    expect(JSON.parse(detail.answer.body)).to.deep.equal({
      ok: true,
      status: 'ok',
      delivery_id: 'dlv_1',
      duplicate: true,
    });
    expect(stepsOf(detail)).to.deep.equal([
      ['received', 0],
      ['applied', 20],
    ]);
  });

  it('of a failed action end with failed, not with applied', () => {
    expect(stepsOf(detailOf({ outcome: 'failed' })).at(-1)).to.deep.equal(['failed', 20]);
  });

  it('have a latency of zero if the clock of the worker is behind', () => {
    expect(detailOf({ applied_at: AT - 50 }).delivery.latency_ms).to.equal(0);
  });

  it('of counted requests contain their number, and no request', () => {
    const refused = { outcome: 'rejected', http_status: 429, code: 'rate_limited', sequence: null } as const;
    const counted = { ...refused, count: 7, request_id: null, request: undefined };
    const detail = detailOf(counted as unknown as Delivery);
    expect(detail).to.include({ body_absent: 'counted', not_reprocessable: 'counted' });
    expect(detail.why?.title).to.equal('Rate limit exceeded (7 requests in one minute)');
    expect(stepsOf(detail)).to.deep.equal([
      ['received', 0],
      ['refused', 0],
    ]);
  });

  for (const [unapplied, outcome, mapped, title, fix, more] of [
    ['no_rule', 'ignored', {}, 'No rule of the mapping matches', 'add a rule', { ignored: true }],
    ['ignored_by_rule', 'ignored', { rule: 2 }, 'Ignored by /rules/2', 'change the rule', { ignored: true }],
    ['mapping_failed', 'failed', { rule: 1 }, 'no action of this body', 'Correct /rules/1', { note: 'Why.' }],
  ] as const)
    it(`of a request that was not applied name the rule, and contain its 200: ${unapplied}`, () => {
      const version = { preset: 'calendly', version: 3 };
      const row = { action: null, title: null, event_id: null, sequence: null, reason: 'Why.' };
      const detail = detailOf({ ...row, outcome, unapplied, mapped: { ...version, ...mapped } });
      expect(detail.why?.title).to.contain(title);
      expect(detail.why?.fix).to.contain(fix);
      const answer = { ok: true, status: 'ok', delivery_id: 'dlv_1', ...more };
      expect(JSON.parse(detail.answer.body)).to.deep.equal(answer);
      const { delivery } = detail;
      expect(delivery).to.include({ unapplied, preset: 'calendly', mapping_version: 3, code: null });
      expect(delivery.rule).to.equal('rule' in mapped ? mapped.rule : null);
      expect(stepsOf(detail)).to.deep.equal([['received', 0]]);
    });

  it('state what a mapping has omitted', () => {
    const mapped = { preset: 'calendly', version: 1, rule: 0, note: 'url was omitted: Not a URL.' };
    expect(detailOf({ mapped })).to.deep.include({ why: null });
    expect(detailOf({ mapped }).delivery.reason).to.equal(mapped.note);
  });

  it('state why a body was not stored: too large, or not text', () => {
    const absent = (bytes: number) => detailOf({ request: { ...REQUEST, body: null, bytes } }).body_absent;
    expect([absent(64 * 1024), absent(64 * 1024 + 1)]).to.deep.equal(['not_text', 'too_large']);
  });

  it('of the old secret state how long it is still accepted, unless a later rotation started that overlap', () => {
    const rotated = (at: number): Partial<Source> => ({
      secret_rotated_at: at,
      previous_secret: {
        ...{ sealed_secret: '', replaced_at: at, forget_at: AT + 100 * HOUR_MS },
        accepted_until: AT + 3 * HOUR_MS,
      },
    });
    const title = (at: number) => detailOf({ signed_with: 'previous' }, rotated(at)).why?.title;
    expect(title(AT)).to.equal('Accepted, but with the old secret: 2 h left');
    expect(title(AT + 1)).to.equal('Accepted, but with the old secret');
  });
});
