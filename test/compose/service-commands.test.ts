import { expect } from 'chai';
import { readComposeFile } from './support/compose-file.ts';
import { instructionsOf, lastOf } from './support/dockerfile.ts';

describe('the command of a service', () => {
  const command = (part: string) => ['node', `services/${part}/dist/main.js`];

  it('is the one of the ingress in the image', () => {
    const image = JSON.parse((lastOf('CMD', instructionsOf('production')) ?? '').replace(/^.*?CMD /, ''));
    expect(image).to.deep.equal(command('ingress'));
  });

  for (const part of ['ingress', 'worker', 'dispatcher', 'api'])
    it(`runs the bundled ${part} in docker-compose.yml`, () => {
      const { services } = readComposeFile({ SLUICE_SECRET_KEY: 'x' });
      expect(services[part]?.command).to.deep.equal(command(part));
    });
});
