import { detailOfFields } from '@sluice/contract/problem/field-errors';
import { expect } from 'chai';

describe('contract: the detail of wrong fields', () => {
  const error = (pointer: string, detail = 'Missing.') => ({ pointer, detail });

  it('names each field as clients write it, and the body as a whole', () => {
    const errors = [error('/event/starts_at'), error('/fields/a~1b', 'Too long.'), error('', 'Send a name.')];
    expect(detailOfFields('Correct it.', errors)).to.equal(
      'event.starts_at: Missing. fields.a/b: Too long. Send a name. Correct it.',
    );
  });

  it('ends each sentence, also one that ends with an example', () => {
    const errors = [error('/email', 'Not an e-mail address. Example: "ada@example.com"'), error('/tags')];
    expect(detailOfFields('Correct it.', errors)).to.equal(
      'email: Not an e-mail address. Example: "ada@example.com". tags: Missing. Correct it.',
    );
  });

  it('counts the fields after the third', () => {
    const errors = ['/a', '/b', '/c', '/d', '/e'].map((pointer) => error(pointer));
    expect(detailOfFields('Correct it.', errors)).to.equal(
      'a: Missing. b: Missing. c: Missing. And 2 more. Correct it.',
    );
  });

  it('is what to do alone if no field is known', () => {
    expect(detailOfFields('Correct it.', [])).to.equal('Correct it.');
  });
});
