import * as z from 'zod';

/** A JSON Schema of draft 2020-12, the default dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

/** Schemas that a document describes once, with the name by which it refers to them. */
export type NamedSchemas = ReadonlyMap<z.core.$ZodType, string>;

const NONE: NamedSchemas = new Map();

/**
 * Describes what a schema accepts (`input`) or returns (`output`), as JSON Schema. For a schema with preprocessing (an
 * empty optional string counts as absent) the inner schema is described, because zod would describe it as "anything".
 * The empty string is then added to enums (docs/limits.md): generated clients would otherwise reject it.
 * An object that is returned may get more fields any day, so its description is open. A parameter with `aliasOf` in its meta
 * is left out, and the field that it stands for is required.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  { named = NONE }: { readonly named?: NamedSchemas } = {},
): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const name = (zodSchema as z.core.$ZodType) === schema ? undefined : named.get(zodSchema);
      if (name !== undefined) replace(jsonSchema, { $ref: `#/components/schemas/${name}` });
      else if (io === 'output') open(jsonSchema);
      else describeInput(zodSchema._zod.def, jsonSchema);
    },
  });
  return JSON.parse(JSON.stringify(rest), separateTypes);
}

function replace(jsonSchema: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  Object.assign(jsonSchema, by);
}

/** Makes one schema of each of several types. oapi-codegen reads no list of types, but for null. */
function separateTypes(_: string, value: unknown): unknown {
  const { type, ...rest } = (value ?? {}) as JsonSchema;
  if (!Array.isArray(type) || type.filter((name) => name !== 'null').length < 2) return value;
  return { ...rest, anyOf: type.map((name) => ({ type: name })) };
}

function open(jsonSchema: JsonSchema): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // zod describes every integer by the range that JavaScript can hold.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function describeInput(def: unknown, jsonSchema: JsonSchema): void {
  if (isPreprocess(def)) {
    const read = jsonSchemaOf(def.out, 'input');
    Object.assign(jsonSchema, Array.isArray(read.enum) ? { ...read, enum: [...read.enum, ''] } : read);
  }
  const { properties = {} } = jsonSchema as { properties?: Record<string, JsonSchema> };
  for (const [name, { aliasOf }] of Object.entries(properties)) {
    if (aliasOf === undefined) continue;
    delete properties[name];
    const required = new Set((jsonSchema.required ?? []) as string[]);
    jsonSchema.required = [...required.add(String(aliasOf))];
  }
}

function isPreprocess(def: unknown): def is { out: z.ZodType } {
  const { type, in: input } = def as { type?: string; in?: z.ZodType };
  return type === 'pipe' && input?._zod.def.type === 'transform';
}
