import { type Person, startApi, type TestApi, type TestApiSettings } from './api.ts';

/** An API with an account and its owner. */
export interface UsedApi extends TestApi {
  readonly accountId: string;
  readonly owner: Person;
}

/** An API for the `describe` that calls it. It starts before the tests and closes after them. */
export function useApi(settings: TestApiSettings = {}): UsedApi {
  const used = {} as UsedApi;
  let api: TestApi | undefined;
  before(async () => {
    api = await startApi(settings);
    const accountId = await api.addAccount();
    const owner = await api.addPerson(accountId, 'owner');
    // Descriptors, because `replicas` starts another API when it is read.
    Object.defineProperties(used, Object.getOwnPropertyDescriptors(api));
    Object.assign(used, { accountId, owner });
  });
  after(() => api?.close());
  return used;
}
