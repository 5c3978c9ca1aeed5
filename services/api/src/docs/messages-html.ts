import { codeHtml, escapeHtml, proseHtml } from './html.ts';
import type { MessageOperation } from './message-operations.ts';
import type { openApiDocument } from './openapi.ts';
import { type Schemas, schemaHtml, tableHtml } from './schema-html.ts';

type Document = ReturnType<typeof openApiDocument>;

/** The messages that Sluice sends, with schema and sample of each kind. */
export function messagesHtml({ webhooks, tags, components }: Document): string {
  const kinds = Object.entries(webhooks);
  const about = tags.find(({ name }) => name === 'Messages')?.description ?? '';
  const contents = kinds.map(([kind, { post }]) => [
    `<a href="/docs#${post.operationId}"><code>${kind}</code></a>`,
    proseHtml(post.description),
  ]);
  return `<h2>Messages</h2>
<p>${proseHtml(about)}</p>
${tableHtml(['Event kind', ''], contents)}
${tableHtml(['Header', ''], headerRows(kinds[0]?.[1].post))}
${kinds.map(([kind, { post }]) => messageHtml(kind, post, components.schemas)).join('\n')}`;
}

function headerRows(post: MessageOperation | undefined): string[][] {
  const headers = (post?.parameters ?? []) as readonly { name: string; description: string }[];
  return headers.map(({ name, description }) => [`<code>${name}</code>`, proseHtml(description)]);
}

function messageHtml(kind: string, post: MessageOperation, schemas: Schemas): string {
  const { schema, example } = post.requestBody.content['application/json'] ?? { schema: {}, example: null };
  const name = String(schema.$ref).split('/').at(-1) as string;
  return `<h3 id="${post.operationId}">${escapeHtml(post.summary)}</h3>
<p><code>${kind}</code> ${proseHtml(post.description)}</p>
${schemaHtml(schemas, schemas[name])}
${codeHtml(JSON.stringify(example, null, 2))}`;
}
