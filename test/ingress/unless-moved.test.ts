import { type AdmitOnly, ShardMoved } from '@sluice/admission/shard-moved';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { Decision } from '../../services/ingress/src/admit/decide.ts';
import { unlessMoved } from '../../services/ingress/src/lanes/unless-moved.ts';

const ADMITTED = { kind: 'unavailable' } as unknown as Decision;

describe('ingress: admissions while a shard of a Cluster moves', () => {
  /** A shard whose current run is `run`. It admits only groups that name it. */
  const useShard = () => {
    const shard = { run: 'r1', admitted: [] as string[], lookupsDropped: 0 };
    const guard = unlessMoved<string>({
      commit: async (items: readonly string[], { run }: AdmitOnly) => {
        if (run !== shard.run) throw new ShardMoved(shard.run);
        shard.admitted.push(...items);
        return items.map(() => ADMITTED);
      },
      connection: () => shard as unknown as Redis,
      onMoved: () => {
        shard.lookupsDropped += 1;
      },
    });
    return { shard, guard };
  };
  const kinds = (decisions: readonly Decision[]) => decisions.map(({ kind }) => kind);

  it('verifies requests again that waited while the first group learned of the move', async () => {
    const { shard, guard } = useShard();
    await guard.commit([guard.stamp('learns the run')]);
    await guard.commit([guard.stamp('before')]);
    shard.run = 'r2';
    const waited = guard.stamp('waited');
    const first = await guard.commit([guard.stamp('first')]);
    const after = guard.stamp('after');
    const second = await guard.commit([waited, after]);
    expect(kinds(first)).to.deep.equal(['verify_again']);
    expect(kinds(second)).to.deep.equal(['verify_again', ADMITTED.kind]);
    expect(shard.admitted).to.deep.equal(['before', 'after']);
    expect(shard.lookupsDropped).to.equal(2);
  });

  it('asks the shard nothing for a group that was verified before the move as a whole', async () => {
    const { shard, guard } = useShard();
    const waited = guard.stamp('waited');
    await guard.commit([guard.stamp('learns the run')]);
    expect(kinds(await guard.commit([waited]))).to.deep.equal(['verify_again']);
    expect(shard.admitted).to.deep.equal([]);
  });
});
