import { mapperOf, mapText } from '@sluice/signature/mapping/mapper';
import { PRESET_NAMES, PRESETS, senderOf } from '@sluice/signature/presets/presets';
import { expect } from 'chai';
import fc from 'fast-check';
import { LIVES } from '../../pipeline/support/sender-lives.ts';
import { sized } from '../../support/size.ts';

/** The largest body that a source accepts. Bytes. */
const MAX_BODY = 256 * 1024;

/** JSON texts that take the place of a value in a body. */
const HOSTILE = [
  `${'['.repeat(60_000)}${']'.repeat(60_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  JSON.stringify('x'.repeat(200_000)),
  JSON.stringify('e\u0301'.repeat(50_000)),
  `[${'{},'.repeat(50_000)}{}]`,
  '{"__proto__":{"name":"x"},"constructor":"y","toString":1,"length":2}',
  ...['null', 'true', '-0', '1e308', '9007199254740993', '"\\ud800"', '"\\u0000"', '"__proto__"', '[]', '{}'],
] as const;

/** A text, number, true, false or null, but no name of a property. */
const VALUE = /"(?:[^"\\]|\\.)*"(?!:)|\b(?:true|false|null)\b|-?\d+/g;

/** A body with another text in the place of one of its values, chosen by a number. */
function withValue(body: unknown, at: number, value: string): string {
  const text = JSON.stringify(body);
  const places = [...text.matchAll(VALUE)];
  const { 0: found, index } = places[at % places.length] as RegExpExecArray;
  return text.slice(0, index) + value + text.slice(index + found.length);
}

const NOTHING = { external_id: 'x', identity: { title: '' } };

describe('the mapping of a preset', () => {
  for (const name of PRESET_NAMES.filter((preset) => PRESETS[preset].mapping?.rules.length)) {
    const mapper = mapperOf(senderOf(name));
    const bodies = (LIVES[name]?.steps ?? [])
      .map(([, body]) => body)
      .filter((body) => typeof body === 'object');

    it(`${name}: makes an action, a 200 or a bounded reason of any body, and never throws`, () => {
      if (mapper === undefined) throw new Error('it has a mapping');
      const changed = fc
        .tuple(fc.constantFrom(...bodies), fc.nat(1000), fc.constantFrom(...HOSTILE))
        .map(([body, at, value]) => withValue(body, at, value));
      const any = fc.oneof(changed, fc.constantFrom(...HOSTILE), fc.json(), fc.string());
      fc.assert(
        fc.property(any, (text) => {
          const { result, mapped } = mapText(mapper, text.slice(0, MAX_BODY), () => undefined);
          const said = 'detail' in result ? result.detail : (mapped.note ?? '');
          expect(said.length).to.be.at.most(1000);
          const { external_id = 'x', identity } = result.outcome === 'action' ? result.action : NOTHING;
          expect(external_id.length).to.be.within(1, 400);
          expect(identity.title.length).to.be.at.most(1000);
        }),
        { numRuns: sized({ short: 100, middle: 3000 }) },
      );
    });
  }
});
