import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import type { AuditItem } from '@sluice/dashboard-api/audit';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { until } from '../support/until.ts';
import { AUDITED, ENTRY_AFTER_RESPONSE, KEEPS_NO_RECORD, USES_UP_A_CODE } from './support/audited-routes.ts';
import type { CallInput } from './support/call-input.ts';
import { ADDRESS, callRoute } from './support/call-route.ts';
import { useInstallation } from './support/installation.ts';
import { ALL_ROUTES, type RouteCase, type RouteName } from './support/route-case.ts';
import { CASES } from './support/route-cases.ts';
import { createTestObjects, type TestObjects } from './support/test-objects.ts';

/** Routes that do not belong to the dashboard. test/api/public and pages.test.ts cover them. */
const OTHERS = [
  ...PUBLIC_ROUTES.map(({ method, path }) => `${method} ${path}`),
  ...[...new Set(PUBLIC_ROUTES.map(({ path }) => path))].map((path) => `_ALL ${path}`),
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/viewer.js',
  'GET /problems/:code',
  'GET /{*path}',
];

type NamedRoute = (typeof ALL_ROUTES)[number];

/** access.test.ts covers signed-out requests and insufficient roles for every route. */
describe('api: every route of the dashboard', () => {
  const at = useInstallation();
  let objects: TestObjects;
  before(async () => {
    objects = createTestObjects(at);
    // Objects that no other account may see.
    await objects.delivery();
    await objects.keyParams();
  });

  it('is called here, and the API has no other routes', () => {
    expect(Object.keys(CASES)).to.have.members(ALL_ROUTES.map(({ name }) => name));
    const bound = pathsOf(at.api.app.router as unknown as Layers);
    expect(bound).to.have.members([
      ...ALL_ROUTES.map(({ route }) => `${route.method} ${route.path}`),
      ...OTHERS,
    ]);
  });

  it('has a decision about its audit entry if it writes in an account', () => {
    const writes = ALL_ROUTES.filter(
      ({ route }) => route.method !== 'GET' && !['anyone', 'signed_in'].includes(route.access),
    );
    expect(Object.keys(AUDITED)).to.include.members(writes.map(({ name }) => name));
  });

  for (const one of ALL_ROUTES) {
    const { name } = one;
    const action = AUDITED[name];
    const entry = action ? `, with the entry ${action}` : '';
    it(`${name} keeps other accounts out, and responds by its schema${entry}`, async () => {
      const { good, stranger } = CASES[name] as RouteCase;
      const right = await good(objects);
      if (stranger !== 'not_of_an_account') await expectKeptOut(one, right, stranger);
      if (action && !withoutAnnouncement(name)) await expectNothingWithoutEntry(one, right);
      await expectAudited(one, () => expectAnswered(one, right));
    });
  }

  async function expectKeptOut({ route }: NamedRoute, right: CallInput, gets: 'not_found' | 'own') {
    const response = await callRoute(at, route, { ...right, who: at.stranger });
    if (gets === 'not_found') return expectProblem(response, 'not_found');
    expect(response.status, response.text).to.equal(route.success);
    for (const id of [objects.accountId, at.owner.me.user.user_id, at.owner.me.user.email])
      expect(response.text).not.to.contain(id);
    const ours = await at.api.store.sources.listSources({ account_id: objects.accountId });
    for (const { source_id } of ours) expect(response.text).not.to.contain(source_id);
  }

  /** A change whose entry cannot be written is not made, so the valid call after it succeeds. */
  async function expectNothingWithoutEntry({ route }: NamedRoute, right: CallInput): Promise<void> {
    const { auditLog } = at.api.store;
    const { announceEntry } = auditLog;
    auditLog.announceEntry = () => Promise.reject(new Error('away'));
    try {
      expect((await callRoute(at, route, right)).status).to.equal(500);
    } finally {
      auditLog.announceEntry = announceEntry;
    }
  }

  async function expectAnswered({ name, route }: NamedRoute, right: CallInput): Promise<void> {
    const { answer } = CASES[name] as RouteCase;
    const response = await callRoute(at, route, right);
    expect(response.status, response.text).to.equal(route.success);
    expect(response.headers['cache-control']).to.equal('no-store');
    if (answer === null) expect(response.text ?? '').to.equal('');
    else if (typeof answer === 'string') expect(response.headers['content-type']).to.equal(answer);
    // A schema drops unknown fields, so the response is equal only if it has none.
    else expect(answer.parse(response.body)).to.deep.equal(response.body);
  }

  async function expectAudited({ name }: NamedRoute, work: () => Promise<void>): Promise<void> {
    const action = AUDITED[name];
    if (action === undefined) return work();
    // The objects of the call were made from another address, and the entries of some may follow now.
    const entries = async (): Promise<AuditItem[]> => {
      const { items } = await at.owner.read(`/audit?limit=20${action === null ? '' : `&action=${action}`}`);
      return (items as AuditItem[]).filter(({ address }) => address === ADDRESS);
    };
    const before = await entries();
    const since = Date.now();
    await work();
    if (action === null) return expect(await entries()).to.deep.equal(before) as never;
    await until(async () => (await entries())[0]?.audit_id !== before[0]?.audit_id);
    const [entry] = (await entries()) as [AuditItem];
    expect(entry).to.include({ action }).and.not.to.have.property('unconfirmed');
    expect(Date.parse(entry.at)).to.be.within(since, Date.now());
    const { user_id, email } = at.owner.me.user;
    if (!isOfSignIn(name)) expect(entry.actor).to.deep.equal({ user_id, email });
  }
});

/** Routes whose entry is not announced before the change, and routes whose valid call works only once. */
const withoutAnnouncement = (name: RouteName) =>
  KEEPS_NO_RECORD.test(name) || ENTRY_AFTER_RESPONSE.test(name) || USES_UP_A_CODE.test(name);

const isOfSignIn = (name: RouteName) => /^(session|recovery)\./.test(name);

interface Layers {
  readonly stack: readonly {
    readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
    readonly handle?: Partial<Layers>;
  }[];
}

/** The routes of an Express router and its nested routers, as `GET /path`. */
function pathsOf({ stack }: Layers): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route !== undefined)
      return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`);
    return handle?.stack === undefined ? [] : pathsOf({ stack: handle.stack });
  });
}
