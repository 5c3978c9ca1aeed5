/** Makes a node that calls the API once for a message and replaces its payload. `run` returns the new payload. */
function actionNode(RED, run) {
  return function SluiceAction(config) {
    RED.nodes.createNode(this, config);
    const server = RED.nodes.getNode(config.server);
    this.on('input', async (msg, send, done) => {
      try {
        if (!server) throw new Error('Choose a Sluice server in this node.');
        this.status({ fill: 'blue', shape: 'dot', text: config.operation });
        msg.payload = await run({ api: server.api, node: this, config, msg });
        this.status({});
        send(msg);
        done();
      } catch (error) {
        this.status({ fill: 'red', shape: 'ring', text: error.message.slice(0, 60) });
        if (error.status !== undefined) msg.statusCode = error.status;
        // Node-RED puts "Error: " before the message of an Error.
        done(error.message);
      }
    });
  };
}

module.exports = { actionNode };
