const { filters, idempotencyKey, idFrom, leadBody } = require('../lib/act.js');
const { actionNode } = require('../lib/action-node.js');
const { readList } = require('../lib/call-api.js');

module.exports = (RED) => {
  const run = ({ api, node, config, msg }) => {
    const { leadId: value, leadIdType: type, stage, matchOn, limit } = config;
    const lead = () => `/leads/${idFrom(RED, node, msg, { value, type, what: 'lead' })}`;
    switch (config.operation) {
      case 'create':
        return write(api, node, msg);
      case 'upsert':
        return write(api, node, msg, { match_on: matchOn || 'email' });
      case 'update':
        return api.call('PATCH', lead(), { body: leadBody(msg.payload) });
      case 'move':
        return api.call('POST', `${lead()}/stage`, { body: { stage: stage || msg.stage } });
      case 'get':
        return api.call('GET', lead());
      default:
        return readList(api, '/leads', filters(msg.payload), Number(limit) || undefined);
    }
  };
  RED.nodes.registerType('sluice-lead', actionNode(RED, run));
};

/** With match_on too, two equal requests make two leads if no field to match on has a value. The key prevents that. */
function write(api, node, msg, query) {
  const body = leadBody(msg.payload);
  return api.call('POST', '/leads', { query, body, idempotencyKey: idempotencyKey(node, msg, body) });
}
