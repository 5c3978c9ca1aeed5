import { openApiDocument } from '@sluice/api/docs/openapi';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { EVENT_KINDS } from '@sluice/contract/message/event-kinds';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { closed } from '../support/openapi.ts';

const addresses = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };

describe('api: the messages in openapi.json', () => {
  const document = openApiDocument(addresses, PUBLIC_ROUTES);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ ...closed(document), $id: 'openapi' });

  it('are all event kinds', () => {
    expect(Object.keys(document.webhooks)).to.deep.equal(EVENT_KINDS.map(({ kind }) => kind));
  });

  for (const [kind, { post }] of Object.entries(document.webhooks))
    it(`${kind} has a sample that its schema describes`, () => {
      const { schema, example } = post.requestBody.content['application/json'] ?? {};
      const validate = ajv.compile({ $ref: `openapi${schema?.$ref}` });
      expect(validate(example), ajv.errorsText(validate.errors)).to.equal(true);
      const { data, ...rest } = example as { data: object; type: string };
      expect(rest.type).to.equal(kind);
      expect(validate({ ...rest, data: { ...data, unknown: 1 } })).to.equal(false);
      for (const name of Object.keys(rest)) {
        const without = Object.fromEntries(Object.entries({ ...rest, data }).filter(([key]) => key !== name));
        expect(validate(without), `without ${name}`).to.equal(false);
      }
    });

  it('name schemas and tags that exist, and each operation once', () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas).to.have.property(name as string);
    const operations = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(new Set(operations).size).to.equal(operations.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { post } of Object.values(document.webhooks)) expect(tags).to.include.members([...post.tags]);
  });
});
