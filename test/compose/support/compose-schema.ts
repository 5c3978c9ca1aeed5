import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';

const require = createRequire(import.meta.url);

/** What the schema of the compose specification finds wrong with a file; empty where nothing is. */
export type CheckComposeFile = (file: unknown) => string[];

/** The compose specification's JSON schema (Apache-2.0), as the linter for compose files `dclint` ships it. */
export function createComposeSchemaCheck(): CheckComposeFile {
  const dclint = require.resolve('dclint/package.json');
  const schema = JSON.parse(readFileSync(join(dirname(dclint), 'schemas', 'compose.schema.json'), 'utf8'));
  // Under its own name of draft 7 (https, no `#`) Ajv does not know it.
  const validate = new Ajv({ allErrors: true, strict: false }).compile({ ...schema, $schema: undefined });
  return (file) =>
    validate(file)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
