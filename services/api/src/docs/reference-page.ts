import { escapeHtml, pageHtml, proseHtml } from './html.ts';
import type { JsonSchema } from './json-schema.ts';
import type { openApiDocument } from './openapi.ts';

type Document = ReturnType<typeof openApiDocument>;

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description: string;
  }[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

/** The OpenAPI document as an HTML page. It is rendered on the server, works without scripts and loads nothing. */
export function referencePage(
  document: Document,
  { eventsUrl, apiUrl }: { eventsUrl: string; apiUrl: string },
): string {
  const { webhook, identify } = operationsOf(document);
  const { schemas } = document.components;
  return pageHtml(
    'Sluice API reference',
    `<h1>Sluice API reference</h1>
<p>${proseHtml(document.info.description)} Machine-readable: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
${operationHtml(webhook, 'POST', eventsUrl + webhook.path)}
<h3>Body</h3>
${schemaHtml(schemas.WebhookRequest)}
<h3>Response</h3>
${schemaHtml(schemas.Accepted)}
${operationHtml(identify, 'GET', apiUrl + identify.path)}
<h3>Response</h3>
${schemaHtml(schemas.Identity)}
<h2>Errors</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457).</p>
${schemaHtml(schemas.Problem)}`,
  );
}

function operationsOf({ paths }: Document) {
  const [webhook, identify] = Object.entries(paths).map(([path, item]) => {
    const operation: Operation = 'post' in item ? item.post : item.get;
    return { path, ...operation };
  });
  if (webhook === undefined || identify === undefined) throw new Error('the document lacks an operation');
  return { webhook, identify };
}

function operationHtml(operation: Operation, method: string, url: string): string {
  const { summary, description, parameters = [], responses } = operation;
  const named = parameters.map((one) => [
    `<code>${escapeHtml(one.name)}</code>`,
    one.in,
    proseHtml(one.description),
  ]);
  const answers = Object.entries(responses).map(([status, one]) => [
    `<code>${status}</code>`,
    proseHtml(one.description),
  ]);
  return `<h2>${escapeHtml(summary)}</h2>
<p><span class="method">${method}</span> <code>${escapeHtml(url)}</code></p>
<p>${proseHtml(description)}</p>
${named.length === 0 ? '' : tableHtml(['Parameter', 'In', ''], named)}
${tableHtml(['Status', ''], answers)}`;
}

function schemaHtml(schema: JsonSchema | undefined): string {
  return tableHtml(['Field', 'Type', ''], fieldRows(schema ?? {}, ''));
}

function fieldRows(schema: JsonSchema, prefix: string): string[][] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as string[];
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix + name;
    const need = required.includes(name) ? '' : ' (optional)';
    const row = [`<code>${escapeHtml(path)}</code>`, escapeHtml(typeOf(field)) + need, aboutField(field)];
    return [row, ...fieldRows(field, `${path}.`)];
  });
}

function typeOf({ type, anyOf }: JsonSchema): string {
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(typeOf).join(' or ');
  return typeof type === 'string' ? type : 'any';
}

function aboutField(field: JsonSchema): string {
  const { description, maxLength, enum: values } = field;
  const parts = [
    ...(typeof description === 'string' ? [proseHtml(description)] : []),
    ...(typeof maxLength === 'number' ? [`At most ${maxLength} characters.`] : []),
    ...(Array.isArray(values)
      ? [values.map((value) => `<code>${escapeHtml(value === '' ? '""' : String(value))}</code>`).join(' ')]
      : []),
  ];
  return parts.join(' ');
}

function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<div class="table" tabindex="0"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}
