import type { JsonSchema } from '../http/json-schema.ts';
import { codeHtml, escapeHtml, pageHtml, proseHtml } from './html.ts';
import { MESSAGES_TAG } from './message-operations.ts';
import { messagesHtml } from './messages-html.ts';
import type { openApiDocument } from './openapi.ts';
import { schemaHtml, tableHtml } from './schema-html.ts';

type Document = ReturnType<typeof openApiDocument>;

/** An operation as this page shows it. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** The OpenAPI document as an HTML page. It is rendered on the server, works without scripts and loads nothing. */
export function referencePage(
  document: Document,
  { eventsUrl, apiUrl }: { eventsUrl: string; apiUrl: string },
): string {
  const operations = operationsOf(document);
  const tags = document.tags.filter(({ name }) => name !== MESSAGES_TAG.name);
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const server = name === 'Webhook' ? eventsUrl : apiUrl;
    const parts = own.map((one) => operationHtml(document, one, server));
    return `<h2>${escapeHtml(name)}</h2>\n<p>${proseHtml(description)}</p>\n${parts.join('\n')}`;
  });
  return pageHtml(
    'Sluice API reference',
    `<h1>Sluice API reference</h1>
<p>${proseHtml(document.info.description)} Machine-readable: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
${contentsHtml(operations)}
${sections.join('\n')}
${messagesHtml(document)}
<h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457).</p>
${codeHtml(JSON.stringify(document.components.examples.validation_failed?.value, null, 2))}
${schemaHtml(document.components.schemas, document.components.schemas.Problem)}`,
  );
}

interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function operationsOf({ paths }: Document): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'servers')
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: operation as unknown as Operation,
      })),
  );
}

function contentsHtml(operations: readonly Placed[]): string {
  const rows = operations.map(({ method, path, operation }) => [
    `<a href="/docs#${operation.operationId}">${escapeHtml(operation.summary)}</a>`,
    `<code>${method} ${escapeHtml(path)}</code>`,
  ]);
  return tableHtml(['Operation', 'Request'], rows);
}

function operationHtml(document: Document, { method, path, operation }: Placed, server: string): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const success = Object.values(responses).find(({ content }) => content?.['application/json'] !== undefined);
  const answer = success?.content?.['application/json'];
  return `<h3 id="${operationId}">${escapeHtml(summary)}</h3>
<p><span class="method">${method}</span> <code>${escapeHtml(server + path)}</code></p>
<p>${proseHtml(description)}</p>
${operation['x-codeSamples'].map(({ source }) => codeHtml(source)).join('\n')}
${answer?.example === undefined ? '' : codeHtml(JSON.stringify(answer.example, null, 2))}
${parameters.length === 0 ? '' : tableHtml(['Parameter', 'In', ''], parameters.map(parameterRow))}
${body === undefined ? '' : `<h4>Body</h4>\n${schemaHtml(document.components.schemas, body.schema)}`}
${answer === undefined ? '' : `<h4>Response</h4>\n${schemaHtml(document.components.schemas, answer.schema)}`}
${tableHtml(['Status', '', 'Headers'], Object.entries(responses).map(responseRow))}`;
}

function parameterRow({ name, in: place, description, schema }: Parameter): string[] {
  const { enum: values, default: standard } = schema;
  const choices = Array.isArray(values)
    ? values.map((value) => `<code>${escapeHtml(String(value))}</code>`)
    : [];
  const about = [
    proseHtml(description),
    choices.join(' '),
    standard === undefined ? '' : `Default: <code>${escapeHtml(String(standard))}</code>.`,
  ];
  return [`<code>${escapeHtml(name)}</code>`, place, about.filter((part) => part !== '').join(' ')];
}

function responseRow([status, { description, headers = {} }]: [string, Response]): string[] {
  const names = Object.keys(headers).map((name) => `<code>${escapeHtml(name)}</code>`);
  return [`<code>${status}</code>`, proseHtml(description), names.join(' ')];
}
