import { expect } from 'chai';
import { expectProblem } from '../support/expect-problem.ts';
import { callRoute } from './support/call-route.ts';
import { useInstallation } from './support/installation.ts';
import { ALL_ROUTES, type RouteCase } from './support/route-case.ts';
import { CASES } from './support/route-cases.ts';
import { createThings, type Things } from './support/things.ts';

/** What is no route of the dashboard: keys.test.ts and pages.test.ts prove these. */
const OTHERS = [
  'GET /api/public/automation/me',
  '_ALL /api/public/automation/me',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/style.css',
  'GET /problems/:code',
  'GET /{*path}',
];

/** Signed out and with too small a role: access.test.ts, for every route too. */
describe('api: every route of the dashboard', () => {
  const at = useInstallation();
  let things: Things;
  before(() => {
    things = createThings(at);
  });

  it('has calls here, right and wrong; and the API answers to no other', () => {
    expect(Object.keys(CASES)).to.have.members(ALL_ROUTES.map(({ name }) => name));
    const bound = pathsOf(at.api.app.router as unknown as Layers);
    expect(bound).to.have.members([
      ...ALL_ROUTES.map(({ route }) => `${route.method} ${route.path}`),
      ...OTHERS,
    ]);
  });

  for (const { name, route } of ALL_ROUTES) {
    const { good, answer, bad, stranger } = CASES[name] as RouteCase;

    it(`${name}: a right call is answered as the contract says, and with nothing besides`, async () => {
      const response = await callRoute(at, route, await good(things));
      expect(response.status, response.text).to.equal(route.success);
      expect(response.headers['cache-control']).to.equal('no-store');
      if (answer === null) expect(response.text ?? '').to.equal('');
      else if (typeof answer === 'string') expect(response.headers['content-type']).to.equal(answer);
      // A schema drops what it does not know: what is equal afterwards has held nothing else.
      else expect(answer.parse(response.body)).to.deep.equal(response.body);
    });

    if (bad !== null)
      it(`${name}: a wrong call is refused with ${bad.code}`, async () => {
        const right = await good(things);
        const { code, ...wrong } = bad;
        const query = { ...right.query, ...wrong.query };
        expectProblem(await callRoute(at, route, { ...right, ...wrong, query }), code);
      });

    if (stranger === 'not_found')
      it(`${name}: to another account it is as if there were no such thing`, async () => {
        expectProblem(await callRoute(at, route, { ...(await good(things)), who: at.stranger }), 'not_found');
      });

    if (stranger === 'own')
      it(`${name}: another account gets its own, and nothing of this one`, async () => {
        await things.delivery();
        await things.keyParams();
        const response = await callRoute(at, route, { ...(await good(things)), who: at.stranger });
        expect(response.status, response.text).to.equal(route.success);
        for (const id of [things.accountId, at.owner.me.user.user_id, at.owner.me.user.email])
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

/** What an Express router answers to: `GET /path` for each of its routes, and for those of the routers in it. */
function pathsOf({ stack }: Layers): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route !== undefined)
      return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${route.path}`);
    return handle?.stack === undefined ? [] : pathsOf({ stack: handle.stack });
  });
}
