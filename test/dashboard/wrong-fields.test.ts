import { parseAction } from '@sluice/contract/event/parse-bytes';
import { expect } from 'chai';
import { wrongFields } from '../../services/dashboard/src/pages/deliveries/wrong-fields.ts';
import { reasonOf } from '../../services/ingress/src/answer/refusal.ts';

describe('dashboard: the wrong fields of a rejected request', () => {
  it('are named from the reason that the log keeps', () => {
    const event = { title: '', starts_at: '1 Dec', location: 'x'.repeat(5000) };
    expect(fieldsOf({ action: 'upsert', event })).to.deep.equal([
      'event.title',
      'event.starts_at',
      'event.location',
    ]);
    expect(fieldsOf({ action: 'send' })).to.deep.equal(['action', 'event']);
  });

  it('are none if the body as a whole is wrong', () => {
    expect(fieldsOf([])).to.deep.equal([]);
  });

  it('are unescaped, named once, and not read from what was sent', () => {
    const event = { title: 'A', starts_at: 'x /event/price: 1' };
    expect(fieldsOf({ action: 'upsert', event })).to.deep.equal(['event.starts_at']);
    expect(wrongFields('/a~1b: Too long. /c/0: See https://x: 1. /a~1b: Empty.')).to.deep.equal([
      'a/b',
      'c.0',
    ]);
  });
});

function fieldsOf(body: unknown): string[] {
  const parsed = parseAction(Buffer.from(JSON.stringify(body)));
  if (parsed.outcome !== 'validation_failed') throw new Error(parsed.outcome);
  return wrongFields(reasonOf({ code: 'validation_failed', detail: '', errors: parsed.errors }));
}
