import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type Served, serve } from '../support/serve.ts';
import { requireNodeRed } from './support/require-node-red.ts';

interface Call {
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string;
}

interface CallApi {
  readonly Api: new (
    settings: object,
  ) => { call(method: string, path: string, options?: Call): Promise<unknown> };
}

const { Api } = requireNodeRed<CallApi>('lib/call-api.js');

describe('integrations: the requests of node-red-sluice', () => {
  let server: Served;
  let answers: ((response: ServerResponse) => void)[];
  let keys: unknown[];
  let paths: unknown[];
  let waited: number[];
  beforeEach(async () => {
    [answers, keys, paths, waited] = [[], [], [], []];
    server = await serve((request, response) => {
      keys.push(request.headers['idempotency-key']);
      paths.push(request.url);
      request.resume().on('end', () => answers.shift()?.(response));
    });
  });
  afterEach(() => server.close());

  const inProgress = (response: ServerResponse) =>
    response
      .writeHead(409, { 'Retry-After': '1' })
      .end('{"code":"idempotency_in_progress","message":"Wait."}');
  const call = (method: string, path: string, options: Call) => {
    const wait = async (seconds: number) => void waited.push(seconds);
    const api = new Api({ baseUrl: server.url, apiKey: 'slc_live_x', wait });
    return api.call(method, path, options);
  };
  const create = () => call('POST', '/leads', { body: {}, idempotencyKey: 'one' });

  it('waits over 30 s for an earlier request with the same Idempotency-Key, whose process may have died', async () => {
    answers = [
      ...Array.from({ length: 5 }, () => inProgress),
      (response) => response.writeHead(201).end('{"id":"lead_1"}'),
    ];
    expect(await create()).to.deep.equal({ id: 'lead_1' });
    expect(waited.reduce((sum, seconds) => sum + seconds)).to.equal(31);
    expect(keys).to.deep.equal(Array(6).fill('one'));
  });

  it('fails with the sentence of the API if the earlier request does not end', async () => {
    answers = Array.from({ length: 9 }, () => inProgress);
    const error = await create().catch((reason) => reason);
    expect(error).to.include({ message: 'Wait.', status: 409 });
    expect(keys).to.have.length(6);
  });

  it('sends filters without the spaces around them, and none that is blank', async () => {
    answers = [(response) => response.end('{"data":[]}')];
    await call('GET', '/leads', { query: { phone: ' 030 901820 ', q: ' ', limit: 5, tag: null } });
    expect(paths).to.deep.equal(['/api/public/leads?phone=030+901820&limit=5']);
  });

  it('does not repeat a 409 that names no time', async () => {
    answers = [(response) => response.writeHead(409).end('{"code":"external_id_taken","message":"Taken."}')];
    expect(await create().catch((reason) => reason)).to.include({ message: 'Taken.' });
    expect(keys).to.have.length(1);
  });
});
