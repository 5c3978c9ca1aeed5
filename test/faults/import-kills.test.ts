import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import { signInOwner, useApis } from '../support/api-processes.ts';
import type { TestSource } from '../support/ingress.ts';
import { type Pipeline, usePipeline } from '../support/pipeline.ts';
import { sized } from '../support/size.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';
import { type Instant, startKillingProxy } from './support/killing-proxy.ts';
import { report } from './support/report.ts';

const [MONDAY, TUESDAY] = ['2030-05-06T20:00:00.000Z', '2030-05-07T20:00:00.000Z'];

const upsert = (row: number, title: string, starts_at: string, price: string) => ({
  row,
  event: { title, starts_at, price },
  calendar_id: { uid: `${row}@example.org`, recurrence_id: '' },
});

/** The calendar, and what a plan sends after Moved went to Tuesday, Gone was cancelled, and New came. */
const BEFORE = ['Moved', 'Gone', 'Kept'].map((title, index) => upsert(index + 1, title, MONDAY, 'old'));
const AFTER = [
  { row: 1, action: 'cancel', event: { title: 'Moved', starts_at: MONDAY } },
  upsert(1, 'Moved', TUESDAY, 'new'),
  { row: 2, action: 'cancel', event: { title: 'Gone', starts_at: MONDAY } },
  upsert(3, 'Kept', MONDAY, 'new'),
  upsert(4, 'New', MONDAY, 'new'),
];
const EVENTS_BEFORE = ['Gone 6 upcoming old', 'Kept 6 upcoming old', 'Moved 6 upcoming old'];
const EVENTS_AFTER = [
  ...['Gone 6 cancelled old', 'Kept 6 upcoming new', 'Moved 6 cancelled old'],
  ...['Moved 7 upcoming new', 'New 6 upcoming new'],
];

/** An owner of an account, who imports in the dashboard. */
async function signIn(pipeline: Pipeline, url: () => string) {
  const source = await pipeline.addSource({ plan: 'unlimited' });
  const cookie = await signInOwner(pipeline, source.accountId, url());
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url()}${DASHBOARD_API}${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    return { status: response.status, text: await response.text() };
  };
  const send = ({ sourceId: source_id }: TestSource, import_id: string, rows: readonly object[]) =>
    post('/events/import', { source_id, import_id, file_name: 'club.ics', format: 'ical', rows });
  const undo = ({ sourceId: source_id }: TestSource) =>
    post('/events/import/undo', { source_id, import_id: 'import_2' });
  return { accountId: source.accountId, send, undo };
}

async function eventsOf(pipeline: Pipeline, source: TestSource): Promise<string[]> {
  const found = await pipeline.events(source);
  return found
    .map(
      ({ title, starts_at, status, price }) =>
        `${title} ${new Date(starts_at).getUTCDate()} ${status} ${price}`,
    )
    .sort();
}

async function expectEvents(
  pipeline: Pipeline,
  source: TestSource,
  wanted: readonly string[],
  where: string,
) {
  const isSo = async () => JSON.stringify(await eventsOf(pipeline, source)) === JSON.stringify(wanted);
  // An undo waits for a group whose worker was killed, which another takes over within a minute.
  await until(isSo).catch(() => undefined);
  expect(await eventsOf(pipeline, source), where).to.deep.equal(wanted);
}

/** The short form looks at every sixth write. */
const STEP = sized({ short: 6, middle: 1 });

/** Each instant, from the first write on, until one is not reached. Returns how many were. */
async function atEachInstant(kill: (instant: Instant) => Promise<boolean>): Promise<number> {
  let kills = 0;
  for (let write = 1; ; write += STEP)
    for (const when of ['before', 'after'] as const) {
      if (!(await kill({ write, when }))) return kills;
      kills += 1;
    }
}

describe('an API server killed at each write of an import and its undo', function () {
  this.timeout(900_000);
  const pipeline = usePipeline({ ingress: 0, workers: 1 });
  const written = ['audit_log', 'import_turns', 'imports', 'imported_uids'];
  const proxy = use(() => startKillingProxy(pipeline.env.MONGO_URL as string, written));
  const apis = useApis(pipeline, 1, () => ({ MONGO_URL: proxy.url }));
  let owner: Awaited<ReturnType<typeof signIn>>;
  before(async () => {
    owner = await signIn(pipeline, () => apis.urls[0] as string);
  });

  /** Kills the API server at an instant of a request. Returns whether the request had so many writes. */
  const killedIn = async (request: () => Promise<unknown>, instant: Instant): Promise<boolean> => {
    const killed = proxy.arm(instant, () => apis.stop());
    await request().catch(() => undefined);
    const wasReached = proxy.disarm();
    if (!wasReached) return false;
    await killed;
    await apis.start();
    return true;
  };
  const imported = async () => {
    const source = await pipeline.addSource({ accountId: owner.accountId });
    await owner.send(source, 'import_1', BEFORE);
    await expectEvents(pipeline, source, EVENTS_BEFORE, 'before');
    return source;
  };

  it('leaves an import that Retry continues, with the same events as without a kill', async () => {
    const kills = await atEachInstant(async (instant) => {
      const source = await imported();
      const wasKilled = await killedIn(() => owner.send(source, 'import_2', AFTER), instant);
      const again = await owner.send(source, 'import_2', AFTER);
      const where = `${instant.when} write ${instant.write}`;
      expect(JSON.parse(again.text), where).to.deep.equal({ accepted: AFTER.length, refused: [] });
      await expectEvents(pipeline, source, EVENTS_AFTER, where);
      expect((await owner.undo(source)).status, where).to.equal(202);
      await expectEvents(pipeline, source, EVENTS_BEFORE, where);
      return wasKilled;
    });
    report(`${kills} imports continued with Retry`, kills);
    expect(kills).to.be.at.least(2);
  });

  it('leaves an undo that can be repeated, with the events from before the import', async () => {
    const kills = await atEachInstant(async (instant) => {
      const source = await imported();
      await owner.send(source, 'import_2', AFTER);
      await expectEvents(pipeline, source, EVENTS_AFTER, 'after');
      const wasKilled = await killedIn(() => owner.undo(source), instant);
      const where = `${instant.when} write ${instant.write}`;
      await owner.undo(source);
      await expectEvents(pipeline, source, EVENTS_BEFORE, where);
      const last = await pipeline.store.imports.findImport(owner.accountId, source.sourceId, 'import_2');
      expect(last?.undone_at, where).to.be.a('number');
      return wasKilled;
    });
    report(`${kills} undos continued`, kills);
    expect(kills).to.be.at.least(2);
  });
});
