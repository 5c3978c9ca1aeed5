import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { PROBLEMS } from '@sluice/contract/problem/problem';
import { expect } from 'chai';
import supertest from 'supertest';
import { startApi } from '../support/api.ts';
import { expectProblem } from '../support/expect-problem.ts';
import { newFolder } from '../support/folder.ts';
import { use } from '../support/use.ts';

describe('api: pages and documents', () => {
  const api = use(() => startApi({ dashboardDir: dir }));
  const dir = newFolder();
  before(async () => {
    await mkdir(join(dir, 'assets'));
    await writeFile(join(dir, 'index.html'), '<!doctype html><title>Sluice</title>');
    await writeFile(join(dir, 'assets', 'index-abc123.js'), `export const text = '${'x'.repeat(5000)}';`);
    await writeFile(join(dir, '..', 'outside.js'), 'secret');
  });
  after(async () => {
    await rm(join(dir, '..', 'outside.js'));
  });

  const get = (path: string, accept = 'text/html') => supertest(api.app).get(path).set('accept', accept);

  it('serves the one page for every path of the dashboard, never cached', async () => {
    for (const path of ['/', '/welcome', '/knowledge/events/webhook/src_1', '/ops']) {
      const answer = await get(path);
      expect(answer.status, path).to.equal(200);
      expect(answer.text).to.contain('<title>Sluice</title>');
      expect(answer.headers['cache-control']).to.equal('no-store');
    }
  });

  it('responds 404 with a problem to paths that are not pages', async () => {
    for (const path of [
      '/api/nothing',
      '/api/dashboard/v1/nothing',
      '/assets/nothing.js',
      '/problems/nothing',
      '/docs/nothing',
      '//api/public/automation/me',
      '//openapi.json',
      '/API/nothing',
    ])
      expectProblem(await get(path), 'not_found');
    expectProblem(await get('/anything', 'application/json'), 'not_found');
    expectProblem(await get('/api/%E0%A4%A'), 'bad_request');
  });

  it('serves hashed files for a year, compressed if the client accepts it', async () => {
    const path = '/assets/index-abc123.js';
    const packed = await get(path, '*/*').set('accept-encoding', 'br');
    expect(packed.headers).to.include({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    const zipped = await get(path, '*/*').set('accept-encoding', 'gzip');
    expect(zipped.text).to.contain('export const text');
    expect(Number(zipped.headers['content-length'])).to.be.below(1000);
    const plain = await get(path, '*/*').set('accept-encoding', 'identity');
    expect(plain.headers).not.to.have.property('content-encoding');
    expect(plain.headers['cache-control']).to.equal('public, max-age=31536000, immutable');
  });

  it('serves no file outside of the folder', async () => {
    for (const path of [
      '/assets/../../outside.js',
      '/assets/%2e%2e/%2e%2e/outside.js',
      '/assets/..%2f..%2foutside.js',
      '/..%2foutside.js',
    ]) {
      const answer = await get(path, '*/*');
      expect(answer.text, path).not.to.contain('secret');
    }
  });

  it('openapi.json is a 3.1 document with valid references', async () => {
    const { body, status } = await get('/openapi.json', '*/*');
    expect(status).to.equal(200);
    expect(body.openapi).to.equal('3.1.0');
    const declared = PUBLIC_ROUTES.map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
    expect(Object.keys(body.paths)).to.have.members([
      '/api/v1/events/webhook/{source_id}',
      ...new Set(declared),
    ]);
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    );
    expect(Object.keys(body.components.schemas)).to.include.members(references as string[]);
    const { event } = body.components.schemas.WebhookRequest.properties;
    expect(event.required).to.deep.equal(['title', 'starts_at']);
    expect(event.properties.title).to.deep.equal({ type: 'string', maxLength: 500 });
  });

  it('openapi.json allows the empty string where the webhook treats it as absent', async () => {
    const { body } = await get('/openapi.json', '*/*');
    const { recurring, status } = body.components.schemas.WebhookRequest.properties.event.properties;
    expect(recurring.enum).to.deep.equal(['daily', 'weekly', 'monthly', 'yearly', '']);
    expect(status.enum).to.deep.equal(['upcoming', 'cancelled', '']);
  });

  it('openapi.json documents Retry-After for every response that has it', async () => {
    const { body } = await get('/openapi.json', '*/*');
    const responses = Object.values<Record<string, { responses?: object }>>(body.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => Object.entries(operation.responses ?? {})),
    );
    const waiting = responses.filter(([status]) => status === '429' || status === '503');
    expect(waiting).to.have.length.above(3);
    for (const [, { headers = {} }] of waiting) expect(headers).to.include.keys('Retry-After');
  });

  it('serves the reference and its viewer from its own host, without inline scripts and styles', async () => {
    const page = await get('/docs');
    expect(page.headers['content-security-policy'])
      .to.contain("script-src 'self';")
      .and.to.contain("style-src 'self';")
      .and.to.contain("img-src 'self' data:;");
    const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
    expect(files).to.have.length(4);
    for (const path of files) expect((await get(path, '*/*')).status, path).to.equal(200);
    const [style, , script] = files as [string, string, string];
    expect((await get(style, '*/*')).headers['cache-control']).to.contain('immutable');
    expectProblem(await get(script.replace('swagger-ui-bundle.js', 'index.html')), 'not_found');
    expect((await get('/problems/scope_missing')).headers['content-security-policy']).not.to.contain('data:');
  });

  it('every problem code has the page at its type', async () => {
    for (const code of Object.keys(PROBLEMS)) expect((await get(`/problems/${code}`)).status).to.equal(200);
  });
});
