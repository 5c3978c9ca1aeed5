import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { startProcess, useProcesses } from './support/process.ts';

describe('embedded-mongodb: the process', () => {
  const processes = useProcesses();

  it('refuses a port that is taken, saying so, with an exit code of its own', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const refused = await startProcess(await processes.folder(), '--port', String(port));
    taken.close();
    expect(refused).to.have.property('code', 1);
    expect(String(refused.log)).to.match(/EADDRINUSE/);
  });

  it('refuses options that mean nothing, saying which', async () => {
    const refused = await startProcess(await processes.folder(), '--port', 'abc');
    expect(refused).to.have.property('code', 1);
    expect(String(refused.log)).to.match(/--port must be a whole number .*'abc'/);
  });
});
