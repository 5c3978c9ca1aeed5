const { filters, idempotencyKey, idFrom, leadBody, upsertKey } = require('../lib/act.js');
const { actionNode } = require('../lib/action-node.js');
const { readList } = require('../lib/call-api.js');

module.exports = (RED) => {
  const run = ({ api, node, config, msg }) => {
    const { leadId: value, leadIdType: type, stage, matchOn, limit } = config;
    const lead = () => `/leads/${idFrom(RED, node, msg, { value, type, what: 'lead' })}`;
    switch (config.operation) {
      case 'create': {
        const body = leadBody(msg.payload);
        return api.call('POST', '/leads', { body, idempotencyKey: idempotencyKey(node, msg, body) });
      }
      case 'upsert':
        return upsert(api, node, msg, matchOn || 'email');
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

function upsert(api, node, msg, matchOn) {
  const body = leadBody(msg.payload);
  const idempotencyKey = upsertKey(node, msg, body, matchOn);
  return api.call('POST', '/leads', { query: { match_on: matchOn }, body, idempotencyKey });
}
