import type { JsonSchema } from '../http/json-schema.ts';
import { escapeHtml, proseHtml } from './html.ts';

/** The schemas of a document, by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The fields of a schema as a table, with those of nested objects and of the items of lists. */
export function schemaHtml(schemas: Schemas, schema: JsonSchema | undefined): string {
  return tableHtml(['Field', 'Type', ''], fieldRows(schemas, resolved(schemas, schema ?? {}), ''));
}

/** The schema that a reference names. The texts beside the reference win. */
function resolved(schemas: Schemas, { $ref, ...own }: JsonSchema): JsonSchema {
  if (typeof $ref !== 'string') return own;
  return { ...schemas[$ref.split('/').at(-1) as string], ...own };
}

/** A table of HTML cells. It scrolls within itself on narrow screens. */
export function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((cell) => `<${tag}>${cell}</${tag}>`).join('');
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
  return `<div class="table" tabindex="0"><table><thead><tr>${cells('th', head)}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

function fieldRows(schemas: Schemas, schema: JsonSchema, prefix: string): string[][] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as string[];
  return Object.entries(properties).flatMap(([name, described]) => {
    const field = resolved(schemas, described);
    const path = prefix + name;
    const need = required.includes(name) ? '' : ' (optional)';
    const row = [`<code>${escapeHtml(path)}</code>`, escapeHtml(typeOf(field)) + need, aboutField(field)];
    return [
      row,
      ...fieldRows(schemas, field, `${path}.`),
      ...fieldRows(schemas, resolved(schemas, (field.items ?? {}) as JsonSchema), `${path}[].`),
    ];
  });
}

function typeOf({ $ref, type, anyOf, items }: JsonSchema): string {
  if (typeof $ref === 'string') return 'object';
  if (Array.isArray(anyOf)) return (anyOf as JsonSchema[]).map(typeOf).join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  if (type === 'array') return `array of ${typeOf((items ?? {}) as JsonSchema)}`;
  return typeof type === 'string' ? type : 'any';
}

function aboutField(field: JsonSchema): string {
  const { description, maxLength, maxItems, enum: values } = field;
  const parts = [
    ...(typeof description === 'string' ? [proseHtml(description)] : []),
    ...(typeof maxLength === 'number' ? [`At most ${maxLength} characters.`] : []),
    ...(typeof maxItems === 'number' ? [`At most ${maxItems} items.`] : []),
    ...(Array.isArray(values)
      ? [values.map((value) => `<code>${escapeHtml(value === '' ? '""' : String(value))}</code>`).join(' ')]
      : []),
  ];
  return parts.join(' ');
}
