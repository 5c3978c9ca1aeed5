import { once } from 'node:events';
import { createServer } from 'node:net';
import { say } from './run.mjs';

/** Ends the process if a main port is in use, because an installation takes minutes. The launcher checks all ports. */
export async function checkPorts({ HOST, INGRESS_PORT, API_PORT } = process.env) {
  const ports = { INGRESS_PORT: INGRESS_PORT || 8080, API_PORT: API_PORT || 8081 };
  for (const [variable, port] of Object.entries(ports)) {
    const server = createServer().listen({ port: Number(port), host: HOST || '127.0.0.1' });
    const error = await once(server, 'listening').then(
      () => undefined,
      (reason) => reason,
    );
    server.close();
    if (error?.code !== 'EADDRINUSE') continue;
    say(`Port ${port} is already in use. Stop what uses it, or set ${variable} to a free port.`);
    process.exit(1);
  }
}
