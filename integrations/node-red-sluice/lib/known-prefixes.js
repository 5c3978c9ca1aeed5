const { hostname } = require('node:os');

/** The property of Node-RED's own settings, which last over restarts. It has the prefixes of each server node, by its ID. */
const PROPERTY = 'sluicePrefixes';

/**
 * The beginnings of the URLs under which a server node may still have subscriptions. `httpNodeRoot` and the public URL can change while
 * Node-RED is down, and nothing else remembers the earlier ones. None, if another Node-RED stored them.
 */
function readPrefixes(RED, serverId) {
  const kept = RED.settings.get(PROPERTY)?.[serverId];
  return kept?.place === placeOf(RED) ? kept.prefixes : [];
}

/** Stores them. Rejects if Node-RED cannot. */
async function keepPrefixes(RED, serverId, prefixes) {
  const own = { place: placeOf(RED), prefixes };
  await RED.settings.set(PROPERTY, { ...RED.settings.get(PROPERTY), [serverId]: own });
}

/**
 * The machine and the user directory. A copy of the user directory has the settings of the original, and must not delete the
 * subscriptions that the original receives.
 */
function placeOf(RED) {
  return `${hostname()}:${RED.settings.userDir}`;
}

module.exports = { readPrefixes, keepPrefixes };
