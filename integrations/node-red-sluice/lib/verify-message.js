const { Webhook } = require('standardwebhooks');

/**
 * The message in a request, if it was signed with the secret less than 5 minutes ago; otherwise undefined. `rawBody` has the
 * bytes that arrived.
 */
function verifyMessage(rawBody, headers, secret) {
  try {
    return new Webhook(secret).verify(rawBody, headers);
  } catch {
    return undefined;
  }
}

module.exports = { verifyMessage };
