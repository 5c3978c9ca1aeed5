import { clientName } from '@sluice/dashboard-api/key-words';
import { expect } from 'chai';

describe('dashboard: the client that used a key', () => {
  for (const [userAgent, name] of [
    ['n8n', 'n8n'],
    ['Zapier', 'Zapier'],
    ['Make/production', 'Make'],
    ['curl/8.5.0', 'curl 8.5.0'],
    ['python-requests/2.32.3 extra', 'python-requests 2.32.3'],
    ['node', 'node'],
  ] as const)
    it(`${userAgent} is shown as ${name}`, () => expect(clientName(userAgent)).to.equal(name));
});
