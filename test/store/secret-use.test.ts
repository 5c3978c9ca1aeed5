import type { Delivery } from '@sluice/contract/delivery/delivery';
import { MINUTE_MS } from '@sluice/contract/time/durations';
import { acceptedWithPrevious, firstWithCurrent, signedRefused } from '@sluice/store/deliveries/secret-use';
import { expect } from 'chai';
import type { mongo } from 'mongoose';
import { delivery, explained, useStore } from './support.ts';

/** In the middle of a minute. */
const ROTATED = 1_795_250_000_000 - (1_795_250_000_000 % MINUTE_MS) + 20_000;

describe('store: use of the secrets of a source since a rotation', () => {
  const used = useStore();
  let rows = 0;
  const row = (at: number, rest: Partial<Delivery> = {}): Delivery => {
    rows += 1;
    return delivery({
      delivery_id: `dlv_use${rows}`,
      source_id: 'src_use',
      received_at: ROTATED + at,
      ...rest,
    });
  };
  const refused = (at: number, rest: Partial<Delivery> = {}) =>
    row(at, { http_status: 401, code: 'signature_invalid', outcome: 'rejected', event_id: null, ...rest });
  const seen = () => used.store.secretUse.since('src_use', ROTATED);

  it('is empty without requests', async () => {
    const none = { count: 0, last: null };
    expect(await seen()).to.deep.equal({
      firstAccepted: null,
      previousAccepted: null,
      previousRefused: none,
      neitherRefused: none,
    });
  });

  it('has the first request with the current secret, the last with the old one, and every refusal by secret', async () => {
    const inserted = [
      row(-10),
      row(10, { signed_with: 'previous' }),
      row(15, { origin: 'csv' }),
      row(20),
      row(30),
      row(40, { signed_with: 'previous' }),
      // Signed with the previous secret during the overlap, but refused for another reason.
      refused(45, { http_status: 400, code: 'validation_failed', signed_with: 'previous' }),
      refused(-5, { signed_with: 'previous' }),
      ...Array.from({ length: 250 }, (_, n) => refused(100 + n, { signed_with: 'previous' })),
      refused(400, { signed_with: 'previous', http_status: 429, code: 'too_many_bad_signatures' }),
      refused(500),
      refused(600, { signed_with: 'neither' }),
      refused(700, { signed_with: 'previous', source_id: 'src_other' }),
    ];
    await used.store.deliveries.insertDeliveries(inserted);
    expect(await seen()).to.deep.equal({
      firstAccepted: ROTATED + 20,
      previousAccepted: ROTATED + 40,
      previousRefused: { count: 251, last: ROTATED + 400 },
      neitherRefused: { count: 1, last: ROTATED + 600 },
    });
  });

  it('includes requests from counter rows, separately for each secret', async () => {
    const counter = (signed_with: 'previous' | 'neither' | undefined, count: number) =>
      used.store.deliveries.upsertCounterRows([
        refused(-20_000, { request_id: null, count, ...(signed_with && { signed_with }) }),
      ]);
    for (const [signedWith, count] of [
      ['previous', 40],
      ['neither', 7],
      [undefined, 3],
      ['previous', 60],
    ] as const)
      await counter(signedWith, count);
    const { previousRefused, neitherRefused } = await seen();
    expect([previousRefused.count, neitherRefused.count]).to.deep.equal([251 + 60, 1 + 7]);
  });

  const queries: readonly (readonly [string, (c: mongo.Collection) => mongo.FindCursor])[] = [
    [
      'the first with the current secret',
      (c) =>
        c
          .find(firstWithCurrent('src_use', ROTATED) as never)
          .sort({ received_at: 1 })
          .limit(1),
    ],
    [
      'the last with the old one',
      (c) =>
        c
          .find(acceptedWithPrevious('src_use', ROTATED) as never)
          .sort({ received_at: -1 })
          .limit(1),
    ],
    ['the refusals', (c) => c.find(signedRefused('src_use', 'previous', ROTATED) as never)],
  ];
  for (const [what, query] of queries)
    it(`finds ${what} by an index`, async () => {
      const plan = await explained(query(used.mongo.db.collection('deliveries')));
      if (plan === undefined) return;
      expect(JSON.stringify(plan)).to.contain('IXSCAN').and.not.contain('COLLSCAN');
    });
});
