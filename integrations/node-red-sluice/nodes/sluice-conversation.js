const { asText, filters, idempotencyKey, idFrom } = require('../lib/act.js');
const { actionNode } = require('../lib/action-node.js');
const { readList } = require('../lib/call-api.js');

module.exports = (RED) => {
  const run = ({ api, node, config, msg }) => {
    const { conversationId: value, conversationIdType: type, authorName, limit } = config;
    const most = Number(limit) || undefined;
    const conversation = () =>
      `/conversations/${idFrom(RED, node, msg, { value, type, what: 'conversation' })}`;
    const post = (path, body) =>
      api.call('POST', path, { body, idempotencyKey: idempotencyKey(node, msg, body) });
    switch (config.operation) {
      case 'reply': {
        const text = asText(typeof msg.payload === 'object' ? msg.payload?.text : msg.payload);
        return post(`${conversation()}/messages`, { text, ...(authorName && { author_name: authorName }) });
      }
      case 'accept': {
        const agent = authorName ? { agent_name: authorName } : {};
        return post(`${conversation()}/handoff`, { action: 'accept', ...agent });
      }
      case 'end':
        return post(`${conversation()}/handoff`, { action: 'end' });
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
