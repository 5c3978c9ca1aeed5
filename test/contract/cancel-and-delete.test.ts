import { parseAction } from '@sluice/contract/event/parse-bytes';
import { expect } from 'chai';

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const long = (length: number) => 'x'.repeat(length);

describe('contract: cancel and delete', () => {
  it('needs title, starts_at and location from cancel and delete, and ignores every other field', () => {
    const identity = { title: 'Yoga', starts_at: '2027-01-01T10:00Z', location: 'Ghent' };
    const odd = [
      { status: 'canceled' },
      { url: null },
      { url: 'www.example.org' },
      { price: 12 },
      { recurring: 'Weekly' },
      { ends_at: '2026-12-31T10:00Z' },
      { ends_at: { date: 'soon' } },
      { description: long(10_001) },
      { description: ['\ud800'] },
    ];
    for (const kind of ['cancel', 'delete'])
      for (const more of [...odd, Object.assign({}, ...odd)])
        expect(
          parseAction(bytes({ action: kind, event: { ...identity, ...more } })),
          JSON.stringify(more).slice(0, 60),
        ).to.have.deep.property('action', {
          kind,
          identity: { ...identity, starts_at: Date.UTC(2027, 0, 1, 10) },
        });
  });

  it('names the wrong identity fields of cancel and delete, and no other field', () => {
    for (const kind of ['cancel', 'delete']) {
      const event = { title: '', starts_at: 'soon', location: 5, price: 12, status: 'canceled' };
      const parsed = parseAction(bytes({ action: kind, event }));
      if (parsed.outcome !== 'validation_failed') throw new Error(parsed.outcome);
      const pointers = parsed.errors.map(({ pointer }) => pointer);
      expect(pointers).to.deep.equal(['/event/title', '/event/starts_at', '/event/location']);
      expect([parsed.action, parsed.title]).to.deep.equal([kind, '']);
      for (const none of [undefined, null, [], 'Yoga'])
        expect(parseAction(bytes({ action: kind, event: none }))).to.have.nested.property(
          'errors[0].pointer',
          '/event',
        );
    }
  });
});
