import { readMapping } from '@sluice/signature/mapping/mapping';
import { expect } from 'chai';

describe('a mapping that is saved', () => {
  const right = { title: { const: 'x' }, starts_at: { const: '2026-12-01T17:00Z' } };
  const rule = (change: object) => ({ rules: [{ do: 'upsert', event: { ...right, ...change } }] });
  for (const [what, mapping, pointer, detail] of [
    ['without rules', {}, '/rules', /Required/],
    ['with an unknown key', { ...rule({}), zoen: 1 }, '/zoen', /Correct the name/],
    [
      'with an unknown field',
      rule({ externalid: { const: 'x' } }),
      '/rules/0/event/externalid',
      /Correct the name/,
    ],
    [
      'with an unknown action',
      { rules: [{ do: 'remove' }] },
      '/rules/0/do',
      /upsert, cancel, delete, ignore/,
    ],
    [
      'without a start',
      { rules: [{ do: 'cancel', event: { title: right.title } }] },
      '/rules/0/event/starts_at',
      /identifies/,
    ],
    [
      'with two sources of a value',
      rule({ url: { at: '/a', const: 'b' } }),
      '/rules/0/event/url',
      /exactly one of: at, const/,
    ],
    [
      'with a pointer without a slash',
      rule({ url: { at: 'data.url' } }),
      '/rules/0/event/url/at',
      /Send \/data\/url/,
    ],
    [
      'with a date without a time',
      rule({ ends_at: { date: { at: '/d' } } }),
      '/rules/0/event/ends_at',
      /together/,
    ],
    ['with a zone that does not exist', { ...rule({}), zone: { const: 'Mars' } }, '/zone', /Europe\/Berlin/],
    [
      'with a condition without a test',
      { rules: [{ when: [{ at: '/a' }], do: 'ignore' }] },
      '/rules/0/when/0',
      /exactly one of: eq/,
    ],
    [
      'with a pointer of 33 levels',
      rule({ url: { at: '/a'.repeat(33) } }),
      '/rules/0/event/url/at',
      /32 levels/,
    ],
    [
      'with 11 conditions',
      { rules: [{ do: 'ignore', when: Array(11).fill({ at: '/a', exists: true }) }] },
      '/rules/0/when',
      /At most 10/,
    ],
    [
      'with 51 values of a condition',
      { rules: [{ do: 'ignore', when: [{ at: '/a', in: Array(51).fill(1) }] }] },
      '/rules/0/when/0/in',
      /At most 50/,
    ],
    [
      'with 6 values',
      rule({ url: { any: Array(6).fill({ at: '/a' }) } }),
      '/rules/0/event/url/any',
      /At most 5/,
    ],
    ['with 11 parts', rule({ url: { join: Array(11).fill('a') } }), '/rules/0/event/url/join', /At most 10/],
    [
      'with a table of 51',
      rule({ url: { at: '/a', values: Object.fromEntries(Array.from(Array(51), (_, n) => [`${n}`, 'b'])) } }),
      '/rules/0/event/url/values',
      /At most 50/,
    ],
    [
      'with a name of a prototype',
      JSON.parse('{"rules":[],"__proto__":{}}'),
      '/__proto__',
      /Correct the name/,
    ],
    ['that is a list', [], '', /object/i],
    [
      'with an unknown part of a form',
      { rules: [], form: { field: 'a' } },
      '/form/field',
      /Correct the name/,
    ],
    ['with 51 rules', { rules: Array(51).fill({ do: 'ignore' }) }, '/rules', /At most 50 rules/],
    [
      'that is too large',
      { rules: Array(50).fill({ do: 'ignore', when: [{ at: '/a', eq: 'x'.repeat(400) }] }) },
      '',
      /16 KiB/,
    ],
  ] as const)
    it(`${what} is rejected with a pointer and the cure`, () => {
      const read = readMapping(mapping);
      const errors = read.outcome === 'invalid' ? read.errors : [];
      expect(errors.map((error) => error.pointer)).to.deep.equal([pointer]);
      expect(errors[0]?.detail).to.match(detail);
    });
});
