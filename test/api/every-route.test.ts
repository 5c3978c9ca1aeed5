import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { callRoute } from './support/call-route.ts';
import { useInstallation } from './support/installation.ts';
import { ALL_ROUTES, type RouteCase } from './support/route-case.ts';
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

/** access.test.ts covers signed-out requests and insufficient roles for every route. */
describe('api: every route of the dashboard', () => {
  const at = useInstallation();
  let objects: TestObjects;
  before(() => {
    objects = createTestObjects(at);
  });

  it('has valid and invalid calls here, and the API has no other routes', () => {
    expect(Object.keys(CASES)).to.have.members(ALL_ROUTES.map(({ name }) => name));
    const bound = pathsOf(at.api.app.router as unknown as Layers);
    expect(bound).to.have.members([
      ...ALL_ROUTES.map(({ route }) => `${route.method} ${route.path}`),
      ...OTHERS,
    ]);
  });

  for (const { name, route } of ALL_ROUTES) {
    const { good, answer, bad, stranger } = CASES[name] as RouteCase;

    it(`${name}: a valid call gets a response that matches its schema exactly`, async () => {
      const response = await callRoute(at, route, await good(objects));
      expect(response.status, response.text).to.equal(route.success);
      expect(response.headers['cache-control']).to.equal('no-store');
      if (answer === null) expect(response.text ?? '').to.equal('');
      else if (typeof answer === 'string') expect(response.headers['content-type']).to.equal(answer);
      // A schema drops unknown fields, so the response is equal only if it has none.
      else expect(answer.parse(response.body)).to.deep.equal(response.body);
    });

    if (bad !== null)
      it(`${name}: an invalid call is rejected with ${bad.code}`, async () => {
        const right = await good(objects);
        const { code, ...wrong } = bad;
        const query = { ...right.query, ...wrong.query };
        expectProblem(await callRoute(at, route, { ...right, ...wrong, query }), code);
      });

    if (stranger === 'not_found')
      it(`${name}: another account gets not_found`, async () => {
        expectProblem(
          await callRoute(at, route, { ...(await good(objects)), who: at.stranger }),
          'not_found',
        );
      });

    if (stranger === 'own')
      it(`${name}: another account gets its own data only`, async () => {
        await objects.delivery();
        await objects.keyParams();
        const response = await callRoute(at, route, { ...(await good(objects)), who: at.stranger });
        expect(response.status, response.text).to.equal(route.success);
        for (const id of [objects.accountId, at.owner.me.user.user_id, at.owner.me.user.email])
          expect(response.text).not.to.contain(id);
        const ours = (await at.owner.read('/sources')).items as { source_id: string }[];
        for (const { source_id } of ours) expect(response.text).not.to.contain(source_id);
      });
  }
});

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
