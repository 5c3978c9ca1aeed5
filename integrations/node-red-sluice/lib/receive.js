const { readBody } = require('./read-body.js');
const { verifyMessage } = require('./verify-message.js');

/** The outcome of a request: the response, and the message if the flow gets one. */
const rejected = (status, message) => ({ status, body: { message } });

/**
 * Reads and verifies one request of Sluice. `isRepeated` decides whether the flow had the message before. Returns the status
 * and body of the response, and `message` for the flow.
 */
async function receive(request, { subscriber, isRepeated, nowMs }) {
  const rawBody = await readBody(request);
  if (rawBody === undefined)
    return rejected(413, 'The body is too large, or a middleware of Node-RED has read it.');
  if (subscriber.secret === undefined) return rejected(503, 'The flow is starting. Send the message again.');
  const verify = () => verifyMessage(rawBody, request.headers, subscriber.secret);
  const message = verify() ?? ((await subscriber.refresh(nowMs)) ? verify() : undefined);
  if (message === undefined)
    return rejected(401, 'The signature does not match, or the message is more than 5 minutes old.');
  if (isRepeated(message.id)) return { status: 200, body: { message: 'This message was received before.' } };
  return { status: 200, body: {}, message };
}

module.exports = { receive };
