/** The property of Node-RED's own settings, which last over restarts. It has the prefixes of each server node, by its ID. */
const PROPERTY = 'sluicePrefixes';

/**
 * The beginnings of the URLs under which a server node may still have subscriptions. `httpNodeRoot` and the public URL can change while
 * Node-RED is down, and nothing else remembers the earlier ones.
 */
function readPrefixes(RED, serverId) {
  return RED.settings.get(PROPERTY)?.[serverId] ?? [];
}

/** Stores them. Rejects if Node-RED cannot. */
async function keepPrefixes(RED, serverId, prefixes) {
  await RED.settings.set(PROPERTY, { ...RED.settings.get(PROPERTY), [serverId]: prefixes });
}

module.exports = { readPrefixes, keepPrefixes };
