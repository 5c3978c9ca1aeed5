import { plainIssue } from '@sluice/contract/text/plain-issue';
import { expect } from 'chai';
import * as z from 'zod';

const schema = z.strictObject({
  name: z.string().max(3),
  size: z.int(),
  active: z.boolean(),
  tags: z.array(z.string()),
  filter: z.object({}),
  sort: z.enum(['up', 'down']),
  own: z.string({ error: 'The message of the schema.' }),
});
const RIGHT = { name: 'Ada', size: 1, active: true, tags: ['a'], filter: {}, sort: 'up', own: 'x' };

describe('contract: the sentence about a wrong value whose schema has none', () => {
  for (const [field, value, sentence] of [
    ['name', 5, 'Must be a string, not a number.'],
    ['name', null, 'Must be a string, not null.'],
    ['name', ['a', 'b'], 'Must be a string, not an array.'],
    ['name', undefined, 'Required.'],
    ['name', 'Adam', 'Longer than 3 characters. Shorten it.'],
    ['size', 1.5, 'Must be a whole number.'],
    ['active', 'yes', 'Must be true or false, not a string.'],
    ['tags', 'a', 'Must be an array, not a string.'],
    ['filter', [], 'Must be an object, not an array.'],
    ['sort', 'left', 'Not known. Send one of: up, down.'],
    ['sort', undefined, 'Required. Send one of: up, down.'],
    ['own', 5, 'The message of the schema.'],
  ] as const)
    it(`${field} ${JSON.stringify(value)}: ${sentence}`, () => {
      const read = schema.safeParse({ ...RIGHT, [field]: value }, { error: plainIssue });
      expect(read.error?.issues.map(({ path, message }) => [path, message])).to.deep.equal([
        [[field], sentence],
      ]);
    });
});
