/** Fields that must never appear in a log, even after a careless log call. */
const SECRET_FIELDS = [
  'authorization',
  'x-service-signature',
  'secret',
  'signing_secret',
  'password',
  'key',
  'full_key',
];
const HIDDEN = '[redacted]';

type Fields = Record<string, unknown>;

/**
 * The fields of a log line without secrets: at the top level, one level below, and in the headers of a request that is logged
 * whole. pino's own `redact` parses its paths for each line, which costs more than the rest of the line.
 */
export function hideSecrets(fields: Fields): Fields {
  let hidden = withoutSecrets(fields);
  for (const [name, value] of Object.entries(hidden)) {
    if (!isObject(value)) continue;
    const inner = withoutSecrets(name === 'req' ? withoutSecretHeaders(value) : value);
    if (inner !== value) hidden = { ...hidden, [name]: inner };
  }
  return hidden;
}

function withoutSecretHeaders(request: Fields): Fields {
  const { headers } = request;
  return isObject(headers) ? { ...request, headers: withoutSecrets(headers) } : request;
}

/** A copy if there is a secret. */
function withoutSecrets(fields: Fields): Fields {
  const found = SECRET_FIELDS.filter((name) => name in fields);
  if (found.length === 0) return fields;
  return { ...fields, ...Object.fromEntries(found.map((name) => [name, HIDDEN])) };
}

/** An error is logged by its known fields only (logger.ts), and its copy would be no error. */
function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !(value instanceof Error);
}
