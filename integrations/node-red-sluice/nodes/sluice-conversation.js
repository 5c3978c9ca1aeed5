const { filters, idempotencyKey, idFrom } = require('../lib/act.js');
const { actionNode } = require('../lib/action-node.js');
const { readList } = require('../lib/call-api.js');

module.exports = (RED) => {
  const run = ({ api, node, config, msg }) => {
    const { conversationId: value, conversationIdType: type, authorName, limit } = config;
    const most = Number(limit) || undefined;
    const conversation = () =>
      `/conversations/${idFrom(RED, node, msg, { value, type, what: 'conversation' })}`;
    switch (config.operation) {
      case 'reply': {
        const text = typeof msg.payload === 'string' ? msg.payload : msg.payload?.text;
        const body = { text, ...(authorName && { author_name: authorName }) };
        const key = idempotencyKey(node, msg, body);
        return api.call('POST', `${conversation()}/messages`, { body, idempotencyKey: key });
      }
      case 'get':
        return api.call('GET', conversation());
      case 'messages':
        return readList(api, `${conversation()}/messages`, {}, most);
      default:
        return readList(api, '/conversations', filters(msg.payload), most);
    }
  };
  RED.nodes.registerType('sluice-conversation', actionNode(RED, run));
};
