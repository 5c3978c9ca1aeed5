import { loadZapierApp, type Operation, type Row, type Zapier } from '../../platforms/support/zapier.ts';
import { type ApiStub, startApiStub } from './api-stub.ts';

/** The Zapier app and a stub of the API, which forgets before each test what was sent to it. */
export function useZapier() {
  const used = {} as { zapier: Zapier; api: ApiStub; authData: Row };
  before(async () => {
    used.zapier = loadZapierApp();
    used.api = await startApiStub();
    used.authData = { base_url: used.api.url, api_key: 'slc_live_1' };
  });
  after(async () => {
    await used.api?.close();
  });
  beforeEach(() => {
    used.api.sent.length = 0;
  });
  return { used, trigger: (name: string) => used.zapier.app.triggers[name]?.operation as Operation };
}
