/** node:http with a bare response. It measures the cost of HTTP alone. */
import { createServer } from 'node:http';
import { listenAndTell } from '../support/tell.ts';

const body = '{"ok":true}';
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  });
});
listenAndTell(server);
