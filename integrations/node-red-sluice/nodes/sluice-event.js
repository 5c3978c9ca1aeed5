const { filters, idFrom } = require('../lib/act.js');
const { actionNode } = require('../lib/action-node.js');
const { readList } = require('../lib/call-api.js');

module.exports = (RED) => {
  const run = ({ api, node, config, msg }) => {
    const { eventId: value, eventIdType: type, limit } = config;
    if (config.operation === 'find')
      return readList(api, '/events', filters(msg.payload), Number(limit) || undefined);
    return api.call('GET', `/events/${idFrom(RED, node, msg, { value, type, what: 'event' })}`);
  };
  RED.nodes.registerType('sluice-event', actionNode(RED, run));
};
