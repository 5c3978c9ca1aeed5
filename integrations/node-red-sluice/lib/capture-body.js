/** A message of Sluice has at most 256 KiB. */
const MOST_BYTES = 1_048_576;

/**
 * Reads the raw body of requests below a path, before any other program does. In Node-RED the admin app comes first and would
 * parse the JSON. A signature is over the raw bytes, so the reader goes to the front, as Node-RED's own "http in" does.
 */
function captureBody(RED, isOurs) {
  let app = RED.httpNode;
  while (app.parent) app = app.parent;
  const capture = (request, _response, next) => {
    if (request.method !== 'POST' || !isOurs(request.url.split('?')[0])) return next();
    read(request).then((body) => {
      // Body parsers skip a request with _body, and Node-RED's own skips one with skipRawBodyParser.
      Object.assign(request, { body, _body: true, skipRawBodyParser: true });
      next();
    }, next);
  };
  app.use(capture);
  const { stack } = app._router ?? app.router;
  stack.unshift(
    ...stack.splice(
      stack.findIndex(({ handle }) => handle === capture),
      1,
    ),
  );
}

/** The bytes of a request, or undefined if there are too many. */
async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

module.exports = { captureBody };
