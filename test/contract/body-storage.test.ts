import {
  BODY_STORAGES,
  bodyStorageOf,
  type StoredBodyStorage,
  storedBodyStorage,
} from '@sluice/contract/body-storage';
import { expect } from 'chai';

/** How the version before reads a source. */
const keepsBodies = ({ keep_bodies }: StoredBodyStorage) => keep_bodies !== false;

describe('which bodies a source keeps', () => {
  it('is read as it was written', () => {
    expect(BODY_STORAGES.map((one) => bodyStorageOf(storedBodyStorage(one)))).to.deep.equal(BODY_STORAGES);
  });

  it('is read right where the version before wrote it, or neither', () => {
    expect(bodyStorageOf({})).to.equal('all');
    expect(bodyStorageOf({ keep_bodies: true })).to.equal('all');
    expect(bodyStorageOf({ keep_bodies: false })).to.equal('none');
  });

  it('is the last word of the version before where that has changed it since', () => {
    for (const before of BODY_STORAGES) {
      const stored = storedBodyStorage(before);
      expect(bodyStorageOf({ ...stored, keep_bodies: true }), before).to.equal('all');
    }
    expect(bodyStorageOf({ ...storedBodyStorage('all'), keep_bodies: false })).to.equal('none');
  });

  it('is never more to the version before than the admin allows', () => {
    expect(BODY_STORAGES.filter((one) => keepsBodies(storedBodyStorage(one)))).to.deep.equal(['all']);
  });
});
