import { openApiDocument } from '@sluice/api/docs/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const document = openApiDocument({ eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' });

type Responses = Readonly<Record<string, { readonly content: Readonly<Record<string, { schema: object }>> }>>;

/** The operations of the document, by the names that these tests use. */
const OPERATIONS: Readonly<Record<string, { readonly responses: Responses }>> = Object.fromEntries(
  Object.values(document.paths).map((item) =>
    'post' in item ? ['sendEvent', item.post] : ['identify', item.get],
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ ...document, $id: 'openapi' });
const validators = new Map<string, ValidateFunction>();

/** Throws unless the OpenAPI document describes the response: its status, content type and body. */
export function expectDocumented(
  operation: 'sendEvent' | 'identify',
  { status, contentType, body }: { status: number; contentType: string | null | undefined; body: unknown },
): void {
  const described = OPERATIONS[operation]?.responses[status]?.content[contentType ?? ''];
  if (described === undefined)
    throw new Error(`openapi.json has no response ${status} ${contentType} of ${operation}`);
  const { $ref } = described.schema as { $ref: string };
  let validate = validators.get($ref);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: `openapi${$ref}` });
    validators.set($ref, validate);
  }
  if (validate(body)) return;
  throw new Error(`${operation} ${status} does not match openapi.json: ${ajv.errorsText(validate.errors)}`);
}
