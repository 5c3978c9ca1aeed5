import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';

const require = createRequire(import.meta.url);

/** The errors that the schema of the compose specification finds in a file; empty if it is valid. */
export type CheckComposeFile = (file: unknown) => string[];

/** The JSON schema of the compose specification (Apache-2.0), from the compose file linter `dclint`. */
export function createComposeSchemaCheck(): CheckComposeFile {
  const dclint = require.resolve('dclint/package.json');
  const schema = JSON.parse(readFileSync(join(dirname(dclint), 'schemas', 'compose.schema.json'), 'utf8'));
  // Ajv does not know draft 7 under the name in the file (https, no `#`).
  const validate = new Ajv({ allErrors: true, strict: false }).compile({ ...schema, $schema: undefined });
  return (file) =>
    validate(file)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
