import { type EventKind, messageSchema } from '@sluice/contract/event-kinds';
import { type JsonSchema, jsonSchemaOf } from '../http/json-schema.ts';

/** One field of a message, with its place. */
export interface MessageField {
  /** The names from the message to the field, with a dot between them: `data.email`. */
  readonly key: string;
  readonly label: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'array' | 'object';
}

/**
 * The fields of a message. An object with fixed keys is replaced by its fields. An object whose keys are data, such as
 * `fields` of a lead, is one field.
 */
export function messageFields(kind: EventKind): MessageField[] {
  return fieldsOf(jsonSchemaOf(messageSchema(kind), 'output'), []);
}

function fieldsOf(schema: JsonSchema, path: readonly string[]): MessageField[] {
  const { properties } = notNull(schema) as { properties?: Record<string, JsonSchema> };
  if (properties === undefined)
    return [{ key: path.join('.'), label: labelOf(path), type: typeOf(notNull(schema)) }];
  return Object.entries(properties).flatMap(([name, inner]) => fieldsOf(inner, [...path, name]));
}

/** The schema of the value that is not null. */
function notNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema as { anyOf?: JsonSchema[] };
  return anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

function typeOf({ type, format }: JsonSchema): MessageField['type'] {
  const [first] = [type].flat().filter((one) => one !== 'null');
  if (first === 'string') return format === 'date-time' ? 'datetime' : 'string';
  return (first as MessageField['type'] | undefined) ?? 'string';
}

/** `data.contact.name` becomes `Contact name`. The id of the message differs from that of the record. */
function labelOf(path: readonly string[]): string {
  if (path.join('.') === 'id') return 'Message ID';
  const named = path[0] === 'data' ? path.slice(1) : path;
  const words = named
    .join('_')
    .replaceAll('_', ' ')
    .replace(/\bid\b/g, 'ID')
    .replace(/\burl\b/g, 'URL');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
