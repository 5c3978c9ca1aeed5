import { createOwnerLink } from '@sluice/accounts/people/create-link';
import type { Scope } from '@sluice/contract/account/scopes';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { type OutboundPipeline, startOutboundPipeline } from '../../dispatcher/support/outbound-pipeline.ts';
import { type ApiProcesses, addKey, startApis } from '../../support/api-processes.ts';
import { created } from '../../support/created.ts';

/** An account, as an integration and its owner see it. */
export interface Account {
  readonly source: Awaited<ReturnType<OutboundPipeline['addSource']>>;
  readonly accountId: string;
  addKey(scopes?: readonly Scope[]): Promise<string>;
  /** A request of the public API. Fails with the body if the status is not 2xx. */
  call<T = unknown>(key: string, method: string, path: string, body?: object): Promise<T>;
  /** A request of the dashboard by an owner, who signs up at the first one. Fails like `call`. */
  asOwner<T = unknown>(method: string, path: string, body?: object): Promise<T>;
}

/** The whole service as an integration sees it: real processes, one account at first. */
export interface Installation extends Account {
  readonly pipeline: OutboundPipeline;
  readonly apiUrl: string;
  addAccount(): Promise<Account>;
  stop(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const pipeline = await startOutboundPipeline();
  let apis: ApiProcesses | undefined;
  const stop = async () => {
    await apis?.stop();
    await pipeline.stop();
  };
  try {
    apis = await startApis(pipeline, 1);
    const apiUrl = apis.urls[0] as string;
    const addAccount = () => newAccount(pipeline, apiUrl);
    return { ...(await addAccount()), pipeline, apiUrl, addAccount, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function newAccount(pipeline: OutboundPipeline, apiUrl: string): Promise<Account> {
  const source = await pipeline.addSource();
  const { accountId } = source;
  let cookie: string | undefined;
  return {
    source,
    accountId,
    addKey: (scopes) => addKey(pipeline, accountId, scopes),
    call: (key, method, path, body) =>
      request(method, `${apiUrl}/api/public${path}`, { Authorization: `Bearer ${key}` }, body),
    async asOwner(method, path, body) {
      cookie ??= await signUp(pipeline, apiUrl, accountId);
      return request(method, apiUrl + DASHBOARD_API + path, { cookie }, body);
    },
  };
}

async function request<T>(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

/** Returns the session cookie of a new owner. */
async function signUp({ store }: OutboundPipeline, apiUrl: string, accountId: string): Promise<string> {
  const link = created(await createOwnerLink({ ...store, now: Date.now }, accountId, { operator: true }));
  const email = `owner@${accountId.replace('_', '-')}.example.com`;
  const response = await fetch(`${apiUrl}${DASHBOARD_API}/welcome`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: link.token, name: 'Ada Owner', email, password: 'correct horse battery' }),
  });
  if (!response.ok) throw new Error(await response.text());
  return (response.headers.getSetCookie()[0] ?? '').split(';')[0] as string;
}
