import { kindOf } from '@sluice/store/server-kind';
import { expect } from 'chai';

/** Answers to `buildInfo`, as far as they differ. */
const ANSWERS = {
  'MongoDB 8': [{ version: '8.0.4', gitVersion: 'bc35ab4305d9920d9d0491c1c9ef9b72383d31f9' }, 'mongodb'],
  "Amazon's, which is another product": [
    { version: '5.0.0', gitVersion: '6d9ec525e78465dcecadcff99cce953d380fedc8' },
    'mongodb',
  ],
  "DocumentDB's gateway": [
    { version: '7.0.0', internal: { documentdb_versions: ['0.117.0'], kind: '' } },
    'documentdb',
  ],
  "Azure's of before": [
    { version: '7.0.0', internal: { cosmos_versions: ['1.104-1', '1.105.0'] } },
    'documentdb',
  ],
  'FerretDB 2': [{ version: '7.0.77', ferretdb: { version: 'v2.7.0' } }, 'documentdb'],
  'a gateway of another kind': [{ version: '7.0.0', gitVersion: 'documentdb' }, 'documentdb'],
} as const;

describe('which server it is', () => {
  for (const [server, [answer, kind]] of Object.entries(ANSWERS)) {
    it(`is told by its buildInfo: ${server} counts as ${kind}`, () => {
      expect(kindOf(answer)).to.equal(kind);
    });
  }
});
