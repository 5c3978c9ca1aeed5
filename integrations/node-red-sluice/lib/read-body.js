/** A message of Sluice has at most 256 KiB. */
const MOST_BYTES = 1_048_576;

/** The raw bytes of a request. Resolves to undefined if it is too large, or if another program has read it. */
async function readBody(request) {
  if (request.readableEnded || request._body) return undefined;
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

module.exports = { readBody };
