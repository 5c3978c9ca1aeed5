import { expect } from 'chai';
import { isNameTyped } from '../../services/dashboard/src/ui/is-name-typed.ts';

describe('dashboard: a name that is typed to confirm', () => {
  for (const [what, typed, name] of [
    ['two blanks, which the page shows as one', 'Booking platform', 'Booking  platform'],
    ['a blank that does not break', 'Booking platform', 'Booking\u00a0platform'],
    ['letters that a keyboard composes otherwise', 'M\u00fcnchen', 'Mu\u0308nchen'],
  ] as const)
    it(`accepts a name with ${what}`, () => expect(isNameTyped(typed, name)).to.equal(true));

  it('rejects another name, and another case', () => {
    for (const typed of ['', 'Booking', 'booking platform', 'Bookingplatform'])
      expect(isNameTyped(typed, 'Booking platform'), typed).to.equal(false);
  });
});
