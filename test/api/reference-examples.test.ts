import { openApiDocument } from '@sluice/api/docs/openapi';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { closed } from '../support/openapi.ts';

const addresses = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };
const document = openApiDocument(addresses, PUBLIC_ROUTES);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ ...closed(document), $id: 'openapi' });

interface Media {
  readonly schema: { readonly $ref: string };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

const operations = Object.values(document.paths).flatMap((item) =>
  Object.entries(item).flatMap(([method, operation]) =>
    method === 'servers' ? [] : [operation as unknown as Operation],
  ),
);

function expectToFit({ schema }: Media, example: unknown, what: string): void {
  const validate = ajv.getSchema(`openapi${schema.$ref}`) ?? expect.fail(`no schema ${schema.$ref}`);
  expect(validate(example), `${what}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
}

describe('api: the operations in openapi.json', () => {
  for (const { operationId, requestBody, responses, 'x-codeSamples': samples } of operations)
    it(`${operationId} has a curl command, and examples that its schemas describe`, () => {
      for (const media of Object.values(requestBody?.content ?? {}))
        expectToFit(media, media.example, 'body');
      for (const [status, { content = {} }] of Object.entries(responses))
        for (const media of Object.values(content)) {
          const examples = media.examples ?? {};
          if (status < '400') expectToFit(media, media.example, status);
          else expect(Object.keys(examples), status).not.to.deep.equal([]);
          for (const [code, { $ref }] of Object.entries(examples)) {
            expect($ref).to.equal(`#/components/examples/${code}`);
            expectToFit(media, document.components.examples[code]?.value, code);
          }
        }
      expect(samples[0]?.source).to.match(/curl -s.*'http:\/\/localhost:808[01]\//);
      expect(samples[0]?.source).not.to.match(/[{}]\w+[{}]|\/:\w/);
    });
});
