import { formatInstant, parseInstant } from '@sluice/contract/time/instant';
import { expect } from 'chai';
import fc from 'fast-check';

function utc(text: string): string | undefined {
  const parsed = parseInstant(text);
  return parsed.ok ? formatInstant(parsed.epochMs) : undefined;
}

describe('contract: datetimes', () => {
  const SAME = '2026-12-01T17:00:00.000Z';
  for (const text of [
    '2026-12-01T18:00:00+01:00',
    '2026-12-01T18:00+01:00',
    '2026-12-01T18:00+0100',
    '2026-12-01T18:00+01',
    '2026-12-01T17:00Z',
    '2026-12-01t17:00:00z',
    '2026-12-01T17:00',
    '2026-12-01T17:00:00.000000',
    '2026-12-01T12:00:00,0-05:00',
    '2026-12-01T17:00-00:00',
    '2026-12-02T07:00+14:00',
  ]) {
    it(`${text} is ${SAME}`, () => {
      expect(utc(text)).to.equal(SAME);
    });
  }

  it('keeps milliseconds and truncates finer fractions', () => {
    expect(utc('2026-12-01T17:00:00.1239999Z')).to.equal('2026-12-01T17:00:00.123Z');
    expect(utc('2026-12-01T17:00:00.5Z')).to.equal('2026-12-01T17:00:00.500Z');
  });

  it('reads the usual forms the same way with and without the pattern', () => {
    const two = (max: number) =>
      fc.oneof({ arbitrary: fc.nat(max), weight: 9 }, fc.nat(99)).map((n) => String(n).padStart(2, '0'));
    const zone = fc.oneof(
      fc.constant('Z'),
      fc.tuple(fc.constantFrom('+', '-'), two(23), two(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
    );
    const year = fc
      .oneof(fc.integer({ min: 1900, max: 2200 }), fc.nat(9999))
      .map((n) => String(n).padStart(4, '0'));
    const fraction = fc.oneof(
      fc.constant(''),
      fc.nat(999).map((n) => `.${String(n).padStart(3, '0')}`),
    );
    fc.assert(
      fc.property(
        year,
        two(12),
        two(31),
        two(23),
        two(59),
        two(59),
        fraction,
        zone,
        (y, mo, d, h, mi, s, f, z) => {
          const spelt = (t: string) => parseInstant(`${y}-${mo}-${d}${t}${h}:${mi}:${s}${f}${z}`);
          const [plain, matched] = [spelt('T'), spelt('t')];
          expect(plain.ok).to.equal(matched.ok);
          if (plain.ok && matched.ok) expect(plain.epochMs).to.equal(matched.epochMs);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('accepts only digits as digits', () => {
    const right = '2026-12-01T18:00:00.000+01:00';
    for (let i = 0; i < right.length; i++) {
      for (const wrong of ['x', ' ', '/', ':', '-']) {
        const text = right.slice(0, i) + wrong + right.slice(i + 1);
        if (text !== right && text !== right.replace('+', '-'))
          expect(parseInstant(text).ok, text).to.equal(false);
      }
    }
  });

  it('reads leap years and the years below 100', () => {
    expect(utc('2028-02-29T00:00Z')).to.equal('2028-02-29T00:00:00.000Z');
    expect(utc('2000-02-29T00:00Z')).to.equal('2000-02-29T00:00:00.000Z');
    expect(utc('0099-03-15T00:00Z')).to.equal('0099-03-15T00:00:00.000Z');
    expect(utc('9999-12-31T23:59:59.999+00:59')).to.equal('9999-12-31T23:00:59.999Z');
  });

  it('accepts exactly the days that exist, in common years and in leap years', () => {
    for (const year of [2026, 2028, 1900, 2000]) {
      for (let month = 1; month <= 12; month++) {
        const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
        for (let day = 1; day <= 32; day++) {
          const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
          expect(utc(`${date}T10:00:00Z`), date).to.equal(day <= days ? `${date}T10:00:00.000Z` : undefined);
        }
      }
    }
  });

  it('accepts the years 0000 to 9999 in UTC, to the millisecond', () => {
    expect(utc('0000-01-01T00:00Z')).to.equal('0000-01-01T00:00:00.000Z');
    expect(utc('0000-01-01T00:00:00.000+00:01')).to.equal(undefined);
    expect(utc('9999-12-31T23:59:59.999Z')).to.equal('9999-12-31T23:59:59.999Z');
    expect(utc('9999-12-31T23:59:59.999-00:01')).to.equal(undefined);
  });

  for (const [text, what] of [
    ['2026-13-01T10:00Z', 'has no such month (13)'],
    ['2026-04-31T10:00Z', 'names a date that does not exist'],
    ['2026-12-01T24:00Z', 'has no such hour (24; hours go from 00 to 23)'],
    ['2026-12-01T18:60Z', 'has no such minute (60)'],
    ['2026-12-01T18:00:61Z', 'has no such second (61; leap seconds are not accepted)'],
    ['2026-12-01T18:00+24:30', 'has no such offset (+24:30)'],
    ['9999-12-31T18:00-23:00', 'lies outside the years 0000 to 9999 in UTC'],
  ] as const) {
    it(`rejects ${text}: it ${what}`, () => {
      expect(parseInstant(text)).to.deep.equal({
        ok: false,
        detail: `"${text}" ${what}. Example: 2026-12-01T18:00:00+01:00`,
      });
    });
  }

  for (const text of [
    '',
    '2026-12-01',
    '2026-12-01 18:00',
    '18:00',
    '2026-W49-2T18:00',
    '2026-335T18:00',
    '20261201T180000Z',
    '2026-12-01T18:00:60Z',
    '2026-02-30T10:00Z',
    '2027-02-29T10:00Z',
    '2028-02-30T10:00Z',
    '1900-02-29T10:00Z',
    '2026-00-01T10:00Z',
    '2026-01-00T10:00Z',
    '2026-12-01T18:00+24:00',
    '2026-12-01T18:00+01:60',
    '2026-12-01T18:00+1',
    '2026-12-01T18:00:00.Z',
    '2026-12-01T18Z',
    ' 2026-12-01T18:00Z',
    '2026-12-01T18:00Z ',
    '2026-12-01T18:00Z\n',
    '+2026-12-01T18:00Z',
    '12026-12-01T18:00Z',
    '0000-01-01T00:00+01:00',
    '1 Dec',
    '1796144400',
    '٢٠٢٦-12-01T18:00Z',
  ]) {
    it(`"${text.trim()}"${text === text.trim() ? '' : ' with space around it'} is rejected with a right example`, () => {
      const parsed = parseInstant(text);
      expect(parsed.ok).to.equal(false);
      if (!parsed.ok) expect(parsed.detail).to.contain('2026-12-01T18:00:00+01:00');
    });
  }

  it('shows the start of the rejected text', () => {
    for (const [text, shown] of [
      ['x'.repeat(40), 'x'.repeat(40)],
      ['x'.repeat(41), `${'x'.repeat(40)}…`],
    ] as const) {
      expect(parseInstant(text)).to.include({
        detail: `"${shown}" is not an ISO 8601 datetime with a date and a time. Example: 2026-12-01T18:00:00+01:00`,
      });
    }
  });

  it('reads every instant back from its own output', () => {
    const min = new Date('0000-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59.999Z');
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
        expect(parseInstant(date.toISOString())).to.deep.equal({ ok: true, epochMs: date.getTime() });
      }),
    );
  });

  it('agrees with the platform on every offset', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: -23 * 60, max: 23 * 60 }),
        (epochMs, offset) => {
          const local = new Date(epochMs + offset * 60_000).toISOString().slice(0, -1);
          const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
            String(part).padStart(2, '0'),
          );
          const text = `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
          expect(parseInstant(text)).to.deep.equal({ ok: true, epochMs: Date.parse(text) });
        },
      ),
    );
  });
});
