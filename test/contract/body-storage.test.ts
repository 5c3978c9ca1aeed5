import {
  BODY_STORAGES,
  bodyStorageOf,
  type StoredBodyStorage,
  storedBodyStorage,
} from '@sluice/contract/body-storage';
import { expect } from 'chai';

/** Reads a source as the previous version does. */
const keepsBodies = ({ keep_bodies }: StoredBodyStorage) => keep_bodies !== false;

describe('the bodies that a source stores', () => {
  it('reads every setting that it writes', () => {
    expect(BODY_STORAGES.map((one) => bodyStorageOf(storedBodyStorage(one)))).to.deep.equal(BODY_STORAGES);
  });

  it('reads settings of the previous version, and sources without a setting', () => {
    expect(bodyStorageOf({})).to.equal('all');
    expect(bodyStorageOf({ keep_bodies: true })).to.equal('all');
    expect(bodyStorageOf({ keep_bodies: false })).to.equal('none');
  });

  it('uses a later change by the previous version', () => {
    for (const before of BODY_STORAGES) {
      const stored = storedBodyStorage(before);
      expect(bodyStorageOf({ ...stored, keep_bodies: true }), before).to.equal('all');
    }
    expect(bodyStorageOf({ ...storedBodyStorage('all'), keep_bodies: false })).to.equal('none');
  });

  it('never makes the previous version store more than the admin allows', () => {
    expect(BODY_STORAGES.filter((one) => keepsBodies(storedBodyStorage(one)))).to.deep.equal(['all']);
  });
});
