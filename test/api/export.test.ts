import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { promisify } from 'node:util';
import { exportRoute, FORMATS } from '@sluice/api/deliveries/export';
import { createBinder } from '@sluice/api/http/bind';
import { sendPages } from '@sluice/api/http/send-pages';
import type { RouteDeps } from '@sluice/api/parts';
import type { Delivery } from '@sluice/contract/delivery/delivery';
import type { DeliveryItem } from '@sluice/dashboard-api/deliveries';
import { DASHBOARD_API } from '@sluice/dashboard-api/route';
import { expect } from 'chai';
import express from 'express';
import type { Response } from 'supertest';
import type { Person } from '../support/api.ts';
import { until } from '../support/until.ts';
import { useApi } from '../support/use-api.ts';

/** More than two pages of the export. */
const ROWS = 1201;
/** Pages of 75 KB each. */
const MORE_THAN_BUFFERS_HOLD = 1000;

describe('api: export of the delivery log', () => {
  const api = useApi();
  let viewer: Person;
  let sourceId: string;
  before(async () => {
    viewer = await api.addPerson(api.accountId, 'viewer');
    sourceId = (await api.owner.call('post', '/sources', { name: 'Booking' })).body.source.source_id;
    const newest = Date.now();
    const rows = Array.from({ length: ROWS }, (_, index) =>
      rowOf(index, { source_id: sourceId, account_id: api.accountId, received_at: newest - index }),
    );
    await api.store.deliveries.insertDeliveries(rows);
  });

  const read = (query: string, who = api.owner) =>
    who.call('get', `/deliveries/export?source_id=${sourceId}&${query}`).buffer(true).parse(asText);

  it('NDJSON contains every row once, newest first, equal to the list; viewers may export', async () => {
    const answer = await read('format=ndjson', viewer);
    expect(answer.headers['content-type']).to.equal('application/x-ndjson; charset=utf-8');
    expect(answer.headers['content-disposition']).to.match(
      new RegExp(`^attachment; filename="deliveries-${sourceId}-\\d{4}-\\d\\d-\\d\\d\\.ndjson"$`),
    );
    expect(answer.headers['cache-control']).to.equal('no-store');
    const items = (answer.body as string)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as DeliveryItem);
    expect(items.map(({ title }) => title)).to.deep.equal(
      Array.from({ length: ROWS }, (_, index) => `Row ${index}`),
    );
    const { body: listed } = await api.owner.call('get', `/deliveries?source_id=${sourceId}&limit=200`);
    expect(items.slice(0, 200)).to.deep.equal(listed.items);
  });

  it('CSV contains a header line, then one line per matching row', async () => {
    const answer = await read('format=csv&status_class=4xx&title=row');
    expect(answer.headers['content-type']).to.equal('text/csv; charset=utf-8');
    const [names = '', ...lines] = (answer.body as string).trimEnd().split('\r\n');
    expect(
      names.startsWith('\uFEFFdelivery_id,source_id,received_at,action,http_status,title,'),
      names,
    ).to.equal(true);
    expect(lines).to.have.length(Math.ceil(ROWS / 100));
    expect(lines[1]).to.contain(',400,Row 100,rejected,validation_failed,');
  });

  it('is empty if nothing matches, apart from the CSV header', async () => {
    expect((await read('format=ndjson&title=nowhere')).body).to.equal('');
    expect((await read('format=csv&title=nowhere')).body).to.match(/^\uFEFFdelivery_id,.*\r\n$/);
  });

  it('escapes spreadsheet formulas, and keeps every cell in its column', () => {
    const line = (title: string) =>
      FORMATS.csv.line({ title, reason: 'a "b", c\nd', bytes: 7, sequence: null } as DeliveryItem);
    for (const title of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1']) {
      expect(line(title), title).to.match(/,"?'/);
    }
    expect(line('=HYPERLINK("http://x","y")')).to.contain(`,"'=HYPERLINK(""http://x"",""y"")",`);
    expect(line('Jazz, 3-4 pm')).to.contain(',"Jazz, 3-4 pm",');
    expect(line('Jazz; 3-4 pm')).to.contain(',"Jazz; 3-4 pm",');
    expect(line('Jazz\t3-4 pm')).to.contain(',"Jazz\t3-4 pm",');
    expect(line('Plain')).to.match(/,Plain,.*,"a ""b"", c\nd",7,\r\n$/);
  });

  it('lets other requests have their turn within a page', async () => {
    const rowsOfTurn: number[] = [0];
    let turning = setImmediate(function next() {
      rowsOfTurn.push(0);
      turning = setImmediate(next);
    });
    const line = () => {
      rowsOfTurn[rowsOfTurn.length - 1] = (rowsOfTurn.at(-1) ?? 0) + 1;
      return 'row';
    };
    const noMore = (async function* () {})();
    const response = new PassThrough().resume() as unknown as express.Response;
    await sendPages(response, { head: '', line }, Array(500).fill('lead'), noMore);
    clearImmediate(turning);
    expect(Math.max(...rowsOfTurn)).to.be.within(1, 20);
  });

  it('reads pages only as fast as the client reads, and stops when the client disconnects', async () => {
    let asked = 0;
    const app = express();
    const router = express.Router();
    const someone = { accountId: 'acc_1', role: 'viewer', session: { session_id: 'ses_1' } };
    const deps = {
      ownAnySource: async () => ({ source_id: 'src_1' }),
      sources: { listSources: async () => [] },
      deliverySearch: {
        async pageDeliveries(_filter: unknown, { limit }: { limit: number }) {
          asked += 1;
          const of = { source_id: 'src_1', account_id: 'acc_1', received_at: 0 };
          return { items: Array.from({ length: limit }, (_, index) => rowOf(index, of)), more: true };
        },
      },
      now: Date.now,
    };
    exportRoute(
      createBinder(router, async () => someone as never),
      deps as unknown as RouteDeps,
    );
    const failures: unknown[] = [];
    const noteFailure: express.ErrorRequestHandler = (error, _request, _response, _next) => {
      failures.push(error);
    };
    const server = app.use(router, noteFailure).listen(0, '127.0.0.1');
    try {
      await until(() => server.listening);
      const { port } = server.address() as AddressInfo;
      const path = `${DASHBOARD_API}/deliveries/export?source_id=src_1&format=csv`;
      const request = get({ host: '127.0.0.1', port, path });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'readable');
      response.destroy();
      const connections = promisify(server.getConnections.bind(server));
      await until(async () => (await connections()) === 0);
      const before = asked;
      // The log of this test is endless, so the pages read are those in the buffers.
      expect(before, 'pages read').to.be.below(MORE_THAN_BUFFERS_HOLD);
      await new Promise((resolve) => setImmediate(resolve));
      expect(asked - before, 'pages read for nobody').to.be.at.most(1);
      expect(failures).to.deep.equal([]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

function asText(response: Response, done: (error: Error | null, body: string) => void): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('end', () => done(null, text));
}

function rowOf(index: number, of: Pick<Delivery, 'source_id' | 'account_id' | 'received_at'>): Delivery {
  const refused = index % 100 === 0;
  return {
    ...of,
    delivery_id: `dlv_${of.source_id}_${index}`,
    action: 'upsert',
    title: `Row ${index}`,
    http_status: refused ? 400 : 200,
    outcome: refused ? 'rejected' : 'created',
    code: refused ? 'validation_failed' : null,
    request_id: `req_${index}`,
    sequence: refused ? null : 1_000_000 - index,
    event_id: null,
    duplicate_of: null,
    reason: refused ? '/event/starts_at: missing' : null,
    count: 1,
  };
}
