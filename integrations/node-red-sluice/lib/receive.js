const { verifyMessage } = require('./verify-message.js');

/** The outcome of a request: the response, and the message if the flow gets one. */
const rejected = (status, message) => ({ status, body: { message } });

/**
 * Verifies one request of Sluice, whose `body` has the raw bytes. `isRepeated` decides whether the flow had the message before. Returns the status
 * and body of the response, and `message` for the flow.
 */
async function receive(request, { subscriber, isRepeated, nowMs }) {
  const { body: rawBody, headers } = request;
  if (rawBody === undefined) return rejected(413, 'The body is larger than 1 MiB.');
  if (!Buffer.isBuffer(rawBody))
    return rejected(500, 'A middleware of Node-RED has parsed the body. Exclude /sluice from it.');
  if ((await subscriber.readSecret()) === undefined)
    return rejected(503, 'The flow is starting. Send the message again.');
  const verify = () => verifyMessage(rawBody, headers, subscriber.secret);
  const message = verify() ?? ((await subscriber.refresh(nowMs)) ? verify() : undefined);
  if (message === undefined)
    return rejected(401, 'The signature does not match, or the message is more than 5 minutes old.');
  if (isRepeated(message.id)) return { status: 200, body: { message: 'This message was received before.' } };
  return { status: 200, body: {}, message };
}

module.exports = { receive };
