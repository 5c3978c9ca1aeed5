import * as z from 'zod';

/** A JSON Schema of draft 2020-12, which is OpenAPI 3.1's own dialect. */
export type JsonSchema = Record<string, unknown>;

/**
 * What a schema takes (`input`) or gives (`output`), as JSON Schema. Where it looks at a value before it reads it (an
 * empty optional string counts as absent), what it then reads is described: zod would say "anything". The empty string
 * is one of the values then (service.md 2.4): clients are made from this, and would refuse to send it.
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
