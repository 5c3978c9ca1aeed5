const { readList } = require('./call-api.js');

/**
 * Deletes the subscriptions of this Node-RED that no node receives. `prefix` is the beginning of its URLs. `receiving` has the
 * Subscriber of each node that receives, by URL. It must have the nodes of all servers, because servers can share one API key.
 */
async function removeOthers({ api, prefix, receiving }) {
  const own = (await readList(api, '/webhooks')).filter(
    ({ target_url, client }) => client?.platform === 'node-red' && target_url.startsWith(prefix),
  );
  for (const { id, target_url } of own)
    if (!(await isReceived(receiving.get(target_url), id))) await api.call('DELETE', `/webhooks/${id}`);
}

/** A node whose server was changed can receive the same URL for another account. Its subscription then has another id. */
async function isReceived(subscriber, id) {
  const receivedId = await subscriber?.readId();
  return subscriber !== undefined && (receivedId === undefined || receivedId === id);
}

module.exports = { removeOthers };
