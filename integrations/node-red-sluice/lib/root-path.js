/** The path of the HTTP nodes, without a slash at its end. */
function rootPath(RED) {
  return RED.httpNode.path().replace(/\/+$/, '');
}

module.exports = { rootPath };
