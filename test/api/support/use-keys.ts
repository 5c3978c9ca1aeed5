import { expect } from 'chai';
import type { Person } from '../../support/api.ts';
import { useApi } from '../../support/use-api.ts';

/** An API with two replicas, an admin who creates keys, and an owner of another account. */
export function useKeys() {
  let admin: Person;
  let stranger: Person;
  /** The time of the API: a fixed one, or the real one with an offset (ms). */
  const now: { offset: number; at?: number | undefined } = { offset: 0 };
  const api = useApi({
    now: () => now.at ?? Date.now() + now.offset,
    config: { KEY_RATE_PER_MINUTE: 100_000, KEY_RATE_BURST: 100_000 },
  });
  before(async () => {
    const accountId = await api.addAccount('Acme');
    await api.addPerson(accountId, 'owner');
    admin = await api.addPerson(accountId, 'admin');
    stranger = await api.addPerson(await api.addAccount(), 'owner');
  });
  afterEach(() => {
    now.offset = 0;
    now.at = undefined;
  });

  return {
    now,
    api: () => api,
    admin: () => admin,
    stranger: () => stranger,
    /** Creates a key of the admin's account. */
    async create(extra: object = {}) {
      const answer = await admin.call('post', '/keys', {
        name: 'Zapier',
        scopes: ['webhooks', 'read:leads'],
        ...extra,
      });
      expect(answer.status, answer.text).to.equal(201);
      return answer.body as { key: string; item: { key_id: string; prefix: string } };
    },
  };
}
