import { readFile } from 'node:fs/promises';
import { openApiDocument } from '@sluice/api/docs/openapi';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { expect } from 'chai';
import { generateTypes } from '../../packages/sdk/generate-types.mjs';

const ROOT = new URL('../../', import.meta.url);

describe('sdk: the types', () => {
  it('are what openapi-typescript makes of the API now: npm run contract renews them', async function () {
    this.timeout(60_000);
    const addresses = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };
    const made = await generateTypes(openApiDocument(addresses, PUBLIC_ROUTES));
    const committed = await readFile(new URL('packages/sdk/src/generated/api.ts', ROOT), 'utf8');
    expect(committed === made, 'packages/sdk/src/generated/api.ts is stale: npm run contract').to.equal(true);
  });

  it('have a method for each operation, apart from streams and the webhook of senders', async () => {
    const files = ['leads', 'conversations', 'events', 'webhooks'].map((name) => `resources/${name}.ts`);
    const sources = await Promise.all(
      ['client.ts', ...files].map((file) => readFile(new URL(`packages/sdk/src/${file}`, ROOT), 'utf8')),
    );
    const calls = sources.join('\n').match(/http\.(?:GET|POST|PATCH|DELETE)\(/g) ?? [];
    const streams = PUBLIC_ROUTES.filter(({ path }) => /\/streams?$/.test(path));
    expect(calls.length).to.equal(PUBLIC_ROUTES.length - streams.length);
  });
});
