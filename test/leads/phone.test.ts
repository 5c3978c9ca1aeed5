import { readPhone } from '@sluice/leads/phone';
import { expect } from 'chai';

describe('a Mexican phone number', () => {
  const plain = readPhone('+52 55 1234 5678', null);

  it('is one number with and without the former 1 of mobile phones', () => {
    expect(plain.e164).to.equal('+525512345678');
    for (const text of ['+52 1 55 1234 5678', '+5215512345678']) {
      const { e164, key } = readPhone(text, null);
      expect({ e164, key }).to.deep.equal({ e164: plain.e164, key: plain.key });
    }
  });

  it('is found by the digits with the 1, if it was written so', () => {
    expect(readPhone('+5215512345678', null).digits).to.include('5215512345678');
    expect(plain.digits).not.to.include('5215512345678');
  });

  it('keeps its extension', () => {
    expect(readPhone('+52 1 55 1234 5678 ext. 9', null).key).to.equal('+525512345678x9');
  });
});
