import { kindOf } from '@sluice/store/connection/server-kind';
import { expect } from 'chai';

/** The differing parts of responses to `buildInfo`. */
const RESPONSES = {
  'MongoDB 8': [{ version: '8.0.4', gitVersion: 'bc35ab4305d9920d9d0491c1c9ef9b72383d31f9' }, 'mongodb'],
  "Amazon's, which is another product": [
    { version: '5.0.0', gitVersion: '6d9ec525e78465dcecadcff99cce953d380fedc8' },
    'mongodb',
  ],
  "DocumentDB's gateway": [
    { version: '7.0.0', internal: { documentdb_versions: ['0.117.0'], kind: '' } },
    'documentdb',
  ],
  "Azure's former name": [
    { version: '7.0.0', internal: { cosmos_versions: ['1.104-1', '1.105.0'] } },
    'documentdb',
  ],
  'FerretDB 2': [{ version: '7.0.77', ferretdb: { version: 'v2.7.0' } }, 'documentdb'],
  'a gateway of another kind': [{ version: '7.0.0', gitVersion: 'documentdb' }, 'documentdb'],
} as const;

describe('store: kind of the server', () => {
  for (const [server, [response, kind]] of Object.entries(RESPONSES)) {
    it(`detects ${server} as ${kind} by its buildInfo`, () => {
      expect(kindOf(response)).to.equal(kind);
    });
  }
});
