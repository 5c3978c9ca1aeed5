import express, { type RequestHandler } from 'express';
import { refuse } from './result.ts';
import { sendRefusal } from './send.ts';

/** A test request's body of 256 KiB, as a string inside JSON, can be several times as long. */
const LIMIT_BYTES = 1024 * 1024;

/** Reads a JSON body into `request.body`. A form, which any page could post, is no JSON and is refused. */
export function readJsonBody(): RequestHandler {
  const parse = express.json({ limit: LIMIT_BYTES, type: 'application/json' });
  return (request, response, next) => {
    const hasBody =
      request.headers['transfer-encoding'] !== undefined || Number(request.get('content-length') ?? 0) > 0;
    if (hasBody && !request.is('application/json')) {
      const detail = 'Send the body as JSON, with the header Content-Type: application/json.';
      return sendRefusal(response, refuse('unsupported_media_type', detail));
    }
    parse(request, response, (error: unknown) =>
      error === undefined ? next() : sendRefusal(response, bodyFault(error)),
    );
  };
}

function bodyFault(error: unknown) {
  const type = (error as { type?: unknown } | null)?.type;
  if (type === 'entity.too.large')
    return refuse('payload_too_large', 'The body is larger than 1 MiB. Send less.');
  return refuse('malformed_json', 'The body is not valid JSON. Correct it.');
}
