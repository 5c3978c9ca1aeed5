import { readPhone } from '@sluice/leads/fields/phone';
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

describe('a Brazilian mobile number', () => {
  it('is one number with and without its 9, and is found by the digits as written', () => {
    for (const [text, region] of [
      ['+55 31 98888-0001', null],
      ['+55 31 8888-0001', null],
      ['(31) 8888-0001', 'BR'],
    ] as const)
      expect(readPhone(text, region)).to.include({ e164: '+5531988880001', key: '+5531988880001' });
    expect(readPhone('(31) 8888-0001', 'BR').digits).to.include('3188880001');
  });

  it('is no landline', () => {
    expect(readPhone('+55 31 3222-0001', null).key).to.equal('+553132220001');
  });
});

describe('a toll-free number of North America with a word', () => {
  it('is the number that the word dials, in any region', () => {
    for (const region of ['US', 'DE', null])
      for (const text of ['1-800-FLOWERS', '+1 (800) FLOWERS', '800 flowers'])
        expect(readPhone(text, region), `${text} in ${region}`).to.include({ e164: '+18003569377' });
  });

  it('is not the number of another word', () => {
    const [flowers, junk] = ['1-800-FLOWERS', '1-800-GOT-JUNK'].map((text) => readPhone(text, 'US').key);
    expect(flowers).not.to.equal(junk);
  });

  it('ends after seven letters, as it does when it is dialled', () => {
    expect(readPhone('1-800-CONTACTS', 'US').e164).to.equal('+18002668228');
  });

  it('is told apart from a number with a note or an extension', () => {
    expect(readPhone('1-800-356-9377 work', 'US').e164).to.equal('+18003569377');
    expect(readPhone('1-800-356-9377 ext 5', 'US').key).to.equal('+18003569377x5');
    expect(readPhone('030 1234567 privat', 'DE').e164).to.equal('+49301234567');
  });
});
