import { expect } from 'chai';
import { usePublicApi } from '../support/use-public-api.ts';

describe('api: a + that was not encoded in a query of the public API', () => {
  const { call } = usePublicApi(['read:leads', 'write:leads']);

  it('is read in an email address, a phone number and an instant', async () => {
    const body = { name: 'Grace', email: 'grace+crm@example.com', phone: '+49 30 901 820' };
    const { id } = (await call('post', '/leads', { body })).body;
    for (const query of [
      'email=grace+crm@example.com',
      'phone=+49 30901820',
      'phone=%2B4930901820',
      'updated_since=2026-01-01T00:00:00+02:00',
    ])
      expect((await call('get', `/leads?${query}`)).body.data, query).to.have.nested.property('0.id', id);
  });
});
