import { instantParameter } from '@sluice/contract/api/public-list';
import { expect } from 'chai';

describe('contract: an instant in a query', () => {
  it('may have a + that was not encoded, which arrives as a space', () => {
    for (const text of [
      '2026-01-01T00:00:00+02:00',
      '2026-01-01T00:00+02:00',
      '2026-01-01T00:00:00.123+02:00',
    ])
      expect(instantParameter.parse(text.replace('+', ' ')), text).to.equal(Date.parse(text));
  });

  it('is rejected as sent if it has a space elsewhere', () => {
    for (const text of ['2026-01-01 18:00', '2026-01-01 00:00:00 02:00', '2026-01-01T00:00:00  02:00']) {
      const { success, error } = instantParameter.safeParse(text);
      expect(success, text).to.equal(false);
      expect(error?.issues[0]?.message).to.contain(`"${text}"`);
    }
  });
});
