const { captureBody } = require('../lib/capture-body.js');
const { Memory } = require('../lib/memory.js');
const { receive } = require('../lib/receive.js');
const { rootPath } = require('../lib/root-path.js');
const { Subscriber } = require('../lib/subscriber.js');

const STATUS = {
  subscribing: { fill: 'yellow', shape: 'ring', text: 'subscribing' },
  subscribed: { fill: 'green', shape: 'dot', text: 'subscribed' },
  waiting: { fill: 'yellow', shape: 'ring' },
  rejected: { fill: 'red', shape: 'ring' },
};

module.exports = (RED) => {
  /** The nodes that receive now, by id. One route serves all, so that a removed node leaves none behind. */
  const receivers = new Map();
  /** The memory of each node, by id. It lasts over deploys. */
  const memories = new Map();

  function SluiceIn(config) {
    RED.nodes.createNode(this, config);
    const node = this;
    const server = RED.nodes.getNode(config.server);
    const fault = faultOf(RED, server, config);
    if (fault !== undefined) {
      // sluice-config then keeps the subscription of the node.
      node.isFaulty = true;
      node.status({ ...STATUS.rejected, text: fault });
      node.error(fault);
      return;
    }
    /** The rejection that the user has read. A try that is rejected likewise adds none to the log. */
    let told;
    const url = `${server.publicUrl}${rootPath(RED)}/sluice/${node.id}`;
    const subscriber = new Subscriber({
      api: server.api,
      body: wantedSubscription(node, config, url),
      show({ state, error }) {
        node.status({ text: error?.message.slice(0, 60), ...STATUS[state] });
        if (state === 'rejected' && error.message !== told)
          node.error(`Sluice rejected the subscription. ${error.message}`);
        if (state !== 'subscribing') told = error?.message;
      },
    });
    const memory = memories.get(node.id) ?? new Memory();
    memories.set(node.id, memory);
    receivers.set(node.id, { node, subscriber, memory });
    server.receiving.set(url, subscriber);
    if (memory.url !== undefined && memory.url !== url) leave(node, server.api, memory.url);
    memory.url = url;
    subscriber.start();

    node.on('close', async (removed, done) => {
      receivers.delete(node.id);
      server.receiving.delete(url);
      subscriber.close();
      if (removed) memories.delete(node.id);
      if (removed)
        await subscriber
          .unsubscribe()
          .catch((error) => node.warn(`The subscription was not deleted. ${error.message}`));
      done();
    });
  }
  RED.nodes.registerType('sluice-in', SluiceIn);

  if (RED.httpNode) captureBody(RED, (path) => path.startsWith(`${rootPath(RED)}/sluice/`));
  RED.httpNode?.post('/sluice/:node', async (request, response) => {
    const receiver = receivers.get(request.params.node);
    if (receiver === undefined) return response.status(404).json({ message: 'No flow receives here.' });
    const { node, subscriber, memory } = receiver;
    const isRepeated = (id) => memory.wasSeen(node.context(), id);
    const { status, body, message } = await receive(request, { subscriber, isRepeated, nowMs: Date.now() });
    if (status === 503) response.set('Retry-After', '1');
    response.status(status).json(body);
    if (message === undefined) return;
    const { data, type, ...envelope } = message;
    // A test has made-up data, which must not start a flow.
    const isTest = request.get('webhook-test') !== undefined;
    const what = isTest ? 'test' : type;
    node.status({ ...STATUS.subscribed, text: `${what} at ${new Date().toLocaleTimeString()}` });
    if (isTest) return;
    node.send({ topic: type, payload: data, sluice: { type, ...envelope } });
  });
};

function faultOf(RED, server, { events }) {
  if (!server) return 'Choose a Sluice server in this node.';
  if (!RED.httpNode)
    return 'The HTTP nodes of this Node-RED are switched off (httpNodeRoot), so nothing can arrive.';
  if (RED.settings.httpNodeAuth)
    return 'httpNodeAuth is set in the settings of Node-RED, and rejects every message. Remove it.';
  if (!/^https?:\/\//.test(server.publicUrl)) return 'Enter the public URL of Node-RED in the Sluice server.';
  if (!Array.isArray(events) || events.length === 0) return 'Choose at least one event kind.';
  return undefined;
}

function wantedSubscription(node, { events, sourceId, channelId, stage, ordered }, target_url) {
  const filter = { source_id: sourceId, channel_id: channelId, stage };
  return {
    target_url,
    events,
    ordered: ordered === true,
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value)),
    client: { platform: 'node-red', ...(node.name && { workflow_name: String(node.name).slice(0, 200) }) },
  };
}

/** Deletes the subscription of the address that the node had before its server changed. */
function leave(node, api, url) {
  api
    .call('DELETE', '/webhooks', { query: { url } })
    .catch((error) => node.warn(`The subscription of the old address was not deleted. ${error.message}`));
}
