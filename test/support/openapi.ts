import { openApiDocument } from '@sluice/api/docs/openapi';
import { PUBLIC_ROUTES } from '@sluice/api/public/routes';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const addresses = { eventsUrl: 'http://localhost:8080', apiUrl: 'http://localhost:8081' };
const document = openApiDocument(addresses, PUBLIC_ROUTES);

/**
 * The document with every object closed. Records may get fields any day, so the document leaves them open. The tests want to
 * know of a field that nobody has described.
 */
export function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  const isOpen = 'properties' in value && 'type' in value && !('additionalProperties' in value);
  return (isOpen ? { ...inner, additionalProperties: false } : inner) as T;
}

type Responses = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>
>;

/** The operations of the document, by their ids. */
const OPERATIONS: Readonly<Record<string, { readonly responses: Responses }>> = Object.fromEntries(
  Object.values(document.paths as Record<string, object>).flatMap((item) =>
    Object.values(item as Record<string, { operationId?: string; responses: Responses }>)
      .filter(({ operationId }) => operationId !== undefined)
      .map((operation) => [operation.operationId, operation]),
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ ...closed(document), $id: 'openapi' });
const validators = new Map<string, ValidateFunction>();

/** Throws unless the OpenAPI document describes the response: its status, content type and body. */
export function expectDocumented(
  operation: string,
  { status, contentType, body }: { status: number; contentType: string | null | undefined; body: unknown },
): void {
  const response = OPERATIONS[operation]?.responses[status];
  if (response === undefined) throw new Error(`openapi.json has no response ${status} of ${operation}`);
  if (response.content === undefined) return;
  const described = response.content[contentType ?? ''];
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
