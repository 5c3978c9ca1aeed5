import type { Overlap } from '@sluice/contract/account/overlap';
import { newSigningSecret } from '@sluice/credentials/signing-secret';
import type { DeliveryDetail } from '@sluice/dashboard-api/deliveries';
import type { RotationCheck, RotationPrepared, Source as SourceItem } from '@sluice/dashboard-api/sources';
import { expect } from 'chai';
import { upsertBody } from '../support/signed.ts';
import { until } from '../support/until.ts';
import { type Source, useInstallation } from './support/installation.ts';

describe('api: the check after a rotation', () => {
  const at = useInstallation();

  const rotate = async (source: Source, overlap?: Overlap) => {
    const prepared = await at.owner.call('post', `/sources/${source.id}/secret/prepare-rotation`);
    const body = { rotation_token: prepared.body.rotation_token, ...(overlap && { overlap }) };
    const answer = await at.owner.call('post', `/sources/${source.id}/secret/confirm-rotation`, body);
    expect(answer.status, answer.text).to.equal(200);
    const current: Source = { ...source, secret: prepared.body.signing_secret };
    return { current, item: answer.body as SourceItem };
  };
  const check = async ({ id }: Source): Promise<RotationCheck> =>
    await at.owner.read(`/sources/${id}/secret/rotation`);
  const statusOf = async (source: Source) => (await at.sendTo(source, upsertBody())).status;
  const whyOfNewest = async (source: Source, rows: number): Promise<DeliveryDetail['why']> => {
    const [newest] = await at.logged(source, rows);
    return (await at.owner.read(`/deliveries/${newest?.delivery_id}`)).why;
  };

  it('counts exactly the requests signed with the new secret, the old one and neither', async () => {
    const old = await at.addSource();
    expect(await statusOf(old)).to.equal(200);
    const { current } = await rotate(old);
    for (let i = 0; i < 3; i++) expect(await statusOf(old)).to.equal(401);
    expect(await statusOf({ ...old, secret: newSigningSecret() })).to.equal(401);
    expect(await statusOf(current)).to.equal(200);
    const rows = await at.logged(old, 6);
    const seen = await check(old);
    expect(seen).to.deep.include({ overlap_until: null, old_accepted_at: null });
    expect(seen.first_accepted_at).to.equal(rows[0]?.received_at);
    expect(seen.neither_refused).to.deep.equal({ count: 1, last_at: rows[1]?.received_at });
    expect(seen.old_refused).to.deep.equal({ count: 3, last_at: rows[2]?.received_at });
  });

  it('the first stage shows how much the current secret is in use', async () => {
    const source = await at.addSource();
    const prepare = async () =>
      (await at.owner.call('post', `/sources/${source.id}/secret/prepare-rotation`)).body as RotationPrepared;
    expect(await prepare()).to.include({ accepted_24h: 0, last_delivery_at: null });
    await statusOf(source);
    const [row] = await at.logged(source, 1);
    await until(async () => (await prepare()).accepted_24h === 1, { what: 'it is counted' });
    expect((await prepare()).last_delivery_at).to.equal(row?.received_at);
  });

  it('accepts the old secret during an overlap, and the delivery shows the remaining time', async () => {
    const old = await at.addSource();
    const { current, item } = await rotate(old, '24h');
    const rotatedAt = Date.parse(item.secret_rotated_at as string);
    expect(Date.parse(item.overlap_until as string) - rotatedAt).to.equal(24 * 3_600_000);
    expect([await statusOf(old), await statusOf(current)]).to.deep.equal([200, 200]);
    const [, first] = await at.logged(old, 2);
    const why = (await at.owner.read(`/deliveries/${first?.delivery_id}`)).why;
    expect(why.title).to.match(/^Accepted, but with the old secret: 2[34] h left$/);
    expect(await check(old)).to.deep.include({
      overlap_until: item.overlap_until,
      old_accepted_at: first?.received_at,
      old_refused: { count: 0, last_at: null },
    });
  });

  it('an admin can end the overlap for the very next request; the audit log has each change once', async () => {
    const old = await at.addSource();
    const { item } = await rotate(old, '1h');
    expect(await statusOf(old)).to.equal(200);
    const end = () => at.owner.call('post', `/sources/${old.id}/secret/end-overlap`);
    expect((await end()).body).to.include({ overlap_until: null, secret_rotated_at: item.secret_rotated_at });
    expect(await statusOf(old)).to.equal(401);
    expect((await end()).status).to.equal(200);
    const { body } = await at.owner.call('get', '/audit');
    const own = body.items.filter(({ target }: { target: { id: string } }) => target.id === old.id);
    expect(
      own.map(({ action, detail }: Record<string, string>) => [action, detail]).slice(0, 2),
    ).to.deep.equal([
      ['secret.overlap_ended', null],
      ['secret.rotated', `the old secret is accepted until ${item.overlap_until}`],
    ]);
    expect((await whyOfNewest(old, 2))?.title).to.equal('Signed with the old secret');
  });
});
