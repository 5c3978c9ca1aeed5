import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFiles } from '@sluice/api/contract/contract-files';
import { openApiDocument } from '@sluice/api/docs/openapi';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { SUBSCRIBABLE_KINDS } from '@sluice/contract/message/event-kinds';
import { metricsPage } from '@sluice/runtime/telemetry/metrics-page';
import { expect } from 'chai';
import { ROOT } from './support.ts';

const files = contractFiles();
const contract = JSON.parse(files['integrations/contract/contract.json'] as string);

interface Kind {
  readonly id: string;
  readonly fields: readonly { readonly key: string }[];
  readonly sample: object;
}
const kinds: readonly Kind[] = contract.event_kinds;

describe('docs/metrics.md', () => {
  it('has the tables of the catalog of metrics, which npm run contract writes', () => {
    const page = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');
    expect(page === metricsPage(page), 'docs/metrics.md is stale: npm run contract').to.equal(true);
  });
});

describe('integrations/contract', () => {
  for (const [path, text] of Object.entries(files))
    it(`${path} is what npm run contract writes`, () => {
      expect(readFileSync(join(ROOT, path), 'utf8') === text, `${path} is stale: npm run contract`).to.equal(
        true,
      );
    });

  it('has every event kind that a subscription can name', () => {
    expect(kinds.map(({ id }) => id)).to.deep.equal(SUBSCRIBABLE_KINDS);
  });

  // test/dispatcher/every-kind.test.ts compares these samples with deliveries.
  it('has the samples that the tests compare with deliveries', () => {
    const { webhooks } = openApiDocument({ eventsUrl: '', apiUrl: '' }, PUBLIC_ROUTES);
    for (const { id, sample } of kinds)
      expect(webhooks[id]?.post.requestBody.content['application/json']?.example).to.deep.equal(sample);
  });

  for (const { id, fields, sample } of kinds)
    it(`lists the fields of ${id} that its sample has`, () => {
      const missing = fields.filter(({ key }) => !has(sample, key.split('.')));
      expect(missing).to.deep.equal([]);
      const own = Object.keys(sample);
      expect([...new Set(fields.map(({ key }) => key.split('.')[0]))]).to.deep.equal(own);
    });
});

/** Whether a value has a field. An object that is null in the sample counts as having all of its fields. */
function has(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || value === null) return true;
  return (
    typeof value === 'object' &&
    Object.hasOwn(value, name) &&
    has((value as Record<string, unknown>)[name], rest)
  );
}
