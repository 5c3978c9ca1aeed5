import { createSource } from '@sluice/accounts/sources/create-source';
import { EPISODE_ENDS_MS } from '@sluice/contract/message/source-refusing';
import { expect } from 'chai';
import { createWatchRefusals } from '../../services/worker/src/refusing/watch-refusals.ts';
import { delivery } from '../store/support.ts';
import { created } from '../support/created.ts';
import { until } from '../support/until.ts';
import { useMails } from './support/use-mails.ts';

describe('api: mail about sources that reject many requests', () => {
  const { api, smtp, closeApi } = useMails();

  it('reaches the owners once for each episode, with the reasons', async () => {
    const accountId = await api().addAccount('Concert hall');
    const owner = await api().addPerson(accountId, 'owner');
    await api().addPerson(accountId, 'admin');
    const made = created(await createSource(api().deps, { accountId, name: 'Booking\nplatform' }));
    const { source_id } = made.source;
    const kept = api().mongo.db.collection<{ _id: string }>('source_refusals');
    const isDue = async () => Object.hasOwn((await kept.findOne({ _id: source_id })) ?? {}, 'mail_at');
    const clock = { now: Date.now() - EPISODE_ENDS_MS - 3_600_000 };
    const watching = createWatchRefusals({
      ...{ sourceRefusals: api().store.sourceRefusals, sources: api().store.sources, now: () => clock.now },
      isWanted: async () => true,
      tell: () => undefined,
      onError: (error) => expect.fail(String(error)),
    });
    const row = () =>
      delivery({
        ...{ source_id, account_id: accountId, received_at: clock.now },
        ...{ code: 'signature_invalid', outcome: 'rejected' },
      });
    const reject = () => watching.logged(Array.from({ length: 20 }, row));
    const mails = () => smtp().mails.filter(({ to }) => to.includes(owner.me.user.email));

    await reject();
    await until(() => mails().length === 1, { what: 'a mail' });
    // It goes on: an hour later it is reported again, and not mailed.
    clock.now += 3_600_000;
    await reject();
    expect(await isDue()).to.equal(false);
    // The next episode.
    clock.now += EPISODE_ENDS_MS;
    await reject();
    await until(() => mails().length > 1, { what: 'the mail of the next episode' });
    await closeApi();
    expect(mails()).to.have.length(2);
    expect(smtp().mails).to.have.length(2);
    const raw = mails()[0]?.raw ?? '';
    expect(raw).to.contain('Subject: A source in Sluice rejects many requests');
    expect(raw).to.contain('"Booking platform": 20 within 5 minutes');
    expect(raw).to.contain('Signature invalid');
    expect(raw.replaceAll('=\r\n', '')).to.contain(
      `https://sluice.example.com/events/webhook/${source_id}/deliveries`,
    );
  });
});
