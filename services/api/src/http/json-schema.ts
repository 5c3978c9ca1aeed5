import * as z from 'zod';

/** A JSON Schema of draft 2020-12, the default dialect of OpenAPI 3.1. */
export type JsonSchema = Record<string, unknown>;

/**
 * Describes what a schema accepts (`input`) or returns (`output`), as JSON Schema. For a schema with preprocessing (an
 * empty optional string counts as absent) the inner schema is described, because zod would describe it as "anything".
 * The empty string is then added to enums (service.md 2.4): generated clients would otherwise reject it.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (io === 'output' || !isPreprocess(def)) return;
      const read = jsonSchemaOf(def.out, io);
      Object.assign(jsonSchema, Array.isArray(read.enum) ? { ...read, enum: [...read.enum, ''] } : read);
    },
  });
  return rest;
}

function isPreprocess(def: unknown): def is { out: z.ZodType } {
  const { type, in: input } = def as { type?: string; in?: z.ZodType };
  return type === 'pipe' && input?._zod.def.type === 'transform';
}
