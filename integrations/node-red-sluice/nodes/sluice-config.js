const { Api, readList } = require('../lib/call-api.js');
const { keepPrefixes, readPrefixes } = require('../lib/known-prefixes.js');
const { removeOthers } = require('../lib/remove-others.js');
const { rootPath } = require('../lib/root-path.js');
const contract = require('../contract.json');

/** The menus of the editor, by their path in the API. */
const MENUS = ['event-kinds', 'pipeline-stages', 'sources', 'channels'];

module.exports = (RED) => {
  /** The Subscriber of each node that receives now, by URL. All servers share it, because two of them can have one API key. */
  const receiving = new Map();

  /** Whether a node that was not disabled or removed has a fault, such as a server that is missing. */
  const isFaulty = (nodeId) => RED.nodes.getNode(nodeId)?.isFaulty === true;

  function SluiceConfig(config) {
    RED.nodes.createNode(this, config);
    this.api = new Api({ baseUrl: config.baseUrl, apiKey: this.credentials?.apiKey });
    this.publicUrl = String(config.publicUrl ?? '')
      .trim()
      .replace(/\/+$/, '');
    this.receiving = receiving;
    // A node that was disabled, or removed while Node-RED was down, has nobody else to unsubscribe it.
    const sweep = async () => {
      if (this.publicUrl === '' || !RED.httpNode) return;
      const prefix = `${this.publicUrl}${rootPath(RED)}/sluice/`;
      try {
        const earlier = readPrefixes(RED, this.id).filter((one) => one !== prefix);
        // Stored first, so that an end of Node-RED in between forgets none.
        await keepPrefixes(RED, this.id, [prefix, ...earlier]);
        const isEarlierKept = await removeOthers({ api: this.api, prefix, earlier, receiving, isFaulty });
        if (!isEarlierKept) await keepPrefixes(RED, this.id, [prefix]);
      } catch (error) {
        this.debug(`Old subscriptions were not removed: ${error.message}`);
      }
    };
    RED.events.on('flows:started', sweep);
    this.on('close', () => RED.events.removeListener('flows:started', sweep));
  }
  RED.nodes.registerType('sluice-config', SluiceConfig, { credentials: { apiKey: { type: 'password' } } });

  if (RED.httpAdmin)
    RED.httpAdmin.get(
      '/sluice/:server/:menu',
      RED.auth.needsPermission('sluice.read'),
      async (request, response) => {
        const { server, menu } = request.params;
        const node = RED.nodes.getNode(server);
        if (!MENUS.includes(menu)) return response.status(404).json([]);
        if (node?.api === undefined) return response.json(withoutServer(menu));
        try {
          response.json((await readList(node.api, `/${menu}`)).map(({ id, name }) => ({ id, name })));
        } catch (error) {
          response.status(502).json({ message: error.message });
        }
      },
    );
};

/** The kinds that this version knows, for an editor whose server is not deployed yet. */
function withoutServer(menu) {
  return menu === 'event-kinds' ? contract.event_kinds.map(({ id, name }) => ({ id, name })) : [];
}
