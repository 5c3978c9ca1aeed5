const { readList } = require('./call-api.js');

/**
 * Deletes the subscriptions of this Node-RED that no node receives. `prefix` is the beginning of its URLs, and `earlier` has those
 * that they had before. `receiving` has the Subscriber of each node that receives, by URL. It must have the nodes of all servers, because servers
 * can share one API key. A node for which `isFaulty` returns true keeps its subscription until it can receive again. A node that
 * could not subscribe its present URL keeps that of an earlier URL, or moves it if the account is full. Returns whether one with an
 * earlier URL was kept.
 */
async function removeOthers({ api, prefix, earlier, receiving, isFaulty }) {
  const own = (await readList(api, '/webhooks')).filter(
    ({ target_url, client }) =>
      client?.platform === 'node-red' && [prefix, ...earlier].some((one) => target_url.startsWith(one)),
  );
  let isEarlierKept = false;
  for (const { id, target_url } of own) {
    const start = [prefix, ...earlier].find((one) => target_url.startsWith(one));
    const nodeId = target_url.slice(start.length);
    const isEarlier = start !== prefix;
    const present = receiving.get(prefix + nodeId);
    if (isFaulty(nodeId)) isEarlierKept ||= isEarlier;
    else if (isEarlier && (await isUnsubscribed(present))) {
      const moves = present.isFull && present.api === api;
      if (moves) await present.moveHere(id);
      else isEarlierKept = true;
    } else if (!(await isReceived(receiving.get(target_url), id)))
      await api.call('DELETE', `/webhooks/${id}`);
  }
  return isEarlierKept;
}

/** Whether a node receives the URL, but Sluice has rejected it or has not responded. */
async function isUnsubscribed(subscriber) {
  return subscriber !== undefined && (await subscriber.readId()) === undefined;
}

/** A node whose server was changed can receive the same URL for another account. Its subscription then has another id. */
async function isReceived(subscriber, id) {
  const receivedId = await subscriber?.readId();
  return subscriber !== undefined && (receivedId === undefined || receivedId === id);
}

module.exports = { removeOthers };
