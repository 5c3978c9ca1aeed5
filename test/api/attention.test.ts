import { attentionOf } from '@sluice/api/overview/attention';
import { DAY_MS, HOUR_MS } from '@sluice/contract/time/durations';
import type { Attention } from '@sluice/dashboard-api/overview';
import type { ApiKey } from '@sluice/store/accounts/api-keys';
import type { Source } from '@sluice/store/sources/source';
import { expect } from 'chai';

const NOW = Date.parse('2026-11-21T12:00:00Z');

const THREE = { count: 3, partial: false };

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Problems that need attention in an otherwise healthy account. `refused` is by scope and code (or `old_secret`), in
 * the last hour. The hour before had a hundred times as many.
 */
function needsOf(
  given: Partial<Parameters<typeof attentionOf>[1]> = {},
  refused: Counts = {},
): Promise<Attention[]> {
  const activityReader = {
    read: async (scope: string, _unit: string, from: number) => {
      const slot = (at: number, times: number) => {
        const counts = Object.entries(refused[scope] ?? {}).map(
          ([code, count]) => [code === 'old_secret' ? code : `c:${code}`, count * times] as const,
        );
        return { at, counts: new Map(counts) };
      };
      return [slot(NOW - HOUR_MS / 2, 1), slot(NOW - 1.5 * HOUR_MS, 100)].filter(({ at }) => at >= from);
    },
  };
  const well = {
    accountId: 'acc_1',
    sources: [],
    lastDeliveries: [],
    keys: [],
    deadLetters: { count: 0, partial: false },
    workers: 1,
    undispatchedMs: null,
    isOperator: true,
    ignoresProxy: false,
    subscriptionNeeds: [],
  };
  return attentionOf({ activityReader, now: () => NOW }, { ...well, ...given });
}

function source(id: string, fields: Partial<Source> = {}): Source {
  const made = { source_id: id, name: `Source ${id}`, active: true, created_at: NOW - DAY_MS };
  return { ...made, secret_rotated_at: null, ...fields } as Source;
}

function key(id: string, expires_at: number | null, revoked_at: number | null = null): ApiKey {
  return { key_id: id, name: `Key ${id}`, prefix: 'slc_live_abcdef', expires_at, revoked_at } as ApiKey;
}

describe('api: problems that need attention', () => {
  it('are empty if all is well', async () => {
    expect(
      await needsOf({ sources: [source('a')], lastDeliveries: [NOW], keys: [key('k', null)] }),
    ).to.deep.equal([]);
  });

  it('start with a missing worker, then actions that could not be applied', async () => {
    expect(await needsOf({ workers: 0, deadLetters: THREE })).to.deep.equal([
      { kind: 'no_worker' },
      { kind: 'dead_letters', count: 3 },
    ]);
  });

  it('include actions that may not have been applied, because not all dead letters were searched', async () => {
    for (const count of [0, 3])
      expect(await needsOf({ deadLetters: { count, partial: true } })).to.deep.equal([
        { kind: 'dead_letters', count, partial: true },
      ]);
    expect(await needsOf({ deadLetters: { count: 0, partial: true }, isOperator: false })).to.deep.equal([]);
  });

  it('include missing dispatchers once messages are overdue by 30 s', async () => {
    expect(await needsOf({ undispatchedMs: 29_999 })).to.deep.equal([]);
    expect(await needsOf({ undispatchedMs: 30_000, workers: 0, deadLetters: THREE })).to.deep.equal([
      { kind: 'no_worker' },
      { kind: 'no_dispatcher', overdue_ms: 30_000 },
      { kind: 'dead_letters', count: 3 },
    ]);
  });

  it('include sources with ten or more rejections in the last hour, and why, worst first', async () => {
    const rotated = NOW - 2 * HOUR_MS;
    const sources = [source('few'), source('some'), source('many', { secret_rotated_at: rotated })];
    const refused = {
      acc_1: { signature_invalid: 60, rate_limited: 20 },
      few: { signature_invalid: 9 },
      some: { rate_limited: 10 },
      many: { timestamp_expired: 10, signature_invalid: 40, of_a_later_version: 99, old_secret: 30 },
    };
    const found = await needsOf({ sources, lastDeliveries: [NOW, NOW, NOW] }, refused);
    expect(found).to.deep.equal([
      {
        kind: 'refusals',
        source_id: 'many',
        name: 'Source many',
        code: 'signature_invalid',
        title: 'Signature invalid',
        count: 40,
        secret_rotated_at: '2026-11-21T10:00:00.000Z',
        old_secret_count: 30,
      },
      {
        kind: 'refusals',
        source_id: 'some',
        name: 'Source some',
        code: 'rate_limited',
        title: 'Rate limit exceeded',
        count: 10,
        secret_rotated_at: null,
        old_secret_count: 0,
      },
    ]);
  });

  it('include a key that expires within 14 days, unless it is revoked or expired', async () => {
    const keys = [
      key('soon', NOW + 14 * DAY_MS),
      key('later', NOW + 14 * DAY_MS + 1),
      key('never', null),
      key('over', NOW),
      key('revoked', NOW + DAY_MS, NOW - DAY_MS),
    ];
    const found = await needsOf({ keys });
    expect(found.map((need) => ('key_id' in need ? need.key_id : need.kind))).to.deep.equal(['soon']);
  });

  it('include an active source without a delivery, an hour after its creation', async () => {
    const sources = [
      source('silent', { created_at: NOW - HOUR_MS }),
      source('new', { created_at: NOW - HOUR_MS + 1 }),
      source('off', { active: false }),
      source('used'),
    ];
    const found = await needsOf({ sources, lastDeliveries: [null, null, null, NOW] });
    expect(found.map((need) => ('source_id' in need ? need.source_id : need.kind))).to.deep.equal(['silent']);
  });

  it('are at most 20', async () => {
    const sources = Array.from({ length: 30 }, (_, index) => source(`s${index}`));
    expect(await needsOf({ sources, lastDeliveries: sources.map(() => null) })).to.have.length(20);
  });
});
