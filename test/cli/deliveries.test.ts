import { expect } from 'chai';
import { delivery } from '../store/support.ts';
import { expectFailure, useInstallation } from './support.ts';

describe('sluice deliveries show and tail', () => {
  const used = useInstallation();
  let account_id: string;
  let source_id: string;
  const row = (more: Parameters<typeof delivery>[0] = {}) => delivery({ account_id, source_id, ...more });

  before(async () => {
    account_id = String((await used.json('account create --name Hall'))[0]?.account_id);
    source_id = String((await used.json('source create --name Booking'))[0]?.source_id);
  });

  describe('show', () => {
    const request = {
      ...{ content_type: 'application/json', user_agent: 'curl/8', timestamp: '1795244762' },
      ...{ signature_start: 'sha256=9f0c', bytes: 21, body: '{"action":"upsert"}  ' },
    };
    before(async () => {
      await used.store.deliveries.insertDeliveries([
        row({ delivery_id: 'dlv_shown', request, applied_at: 1_795_250_000_500, title: 'Open\u{1b}[2J day' }),
        row({
          ...{ delivery_id: 'dlv_refused', request_id: 'req_refused', http_status: 401 },
          ...{ outcome: 'rejected', code: 'signature_invalid', reason: "The signature doesn't match." },
          ...{ action: null, title: null, sequence: null, event_id: null },
        }),
        row({ delivery_id: 'dlv_again', reprocess_of: 'dlv_shown', sequence: 1_795_250_000_000_001 }),
      ]);
    });

    it('prints the row with its request, its account and what reprocessed it', async () => {
      const [shown] = await used.json('deliveries show dlv_shown');
      expect(shown).to.include({ delivery_id: 'dlv_shown', source_id, account_id, origin: 'webhook' });
      expect(shown).to.include({ applied_at: '2026-11-21T08:33:20.500Z', title: 'Open\u{1b}[2J day' });
      expect(shown).to.deep.include({ request, reprocessed_as: ['dlv_again'] });
    });

    it('finds a rejected request by the id that the sender got', async () => {
      const [shown] = await used.json('deliveries show req_refused');
      expect(shown).to.include({ delivery_id: 'dlv_refused', code: 'signature_invalid' });
      expect(shown).to.include({ reason: "The signature doesn't match.", request: null });
    });

    it('escapes control characters of senders for people', async () => {
      const { stdout } = await used.run('deliveries show dlv_shown');
      expect(stdout).to.contain('title').and.not.contain('\u{1b}');
    });

    it('fails for an unknown delivery', async () => {
      const done = await used.run('deliveries show dlv_none');
      expectFailure(done, 1, 'There is no delivery dlv_none');
    });
  });

  describe('tail', () => {
    /** Starts to follow, writes rows once it follows, and returns the run. */
    const tail = async (args: string, rows: ReturnType<typeof row>[], name = 'deliveries tail') => {
      let written: Promise<void> | undefined;
      const done = await used.run(`${name} ${args}`, {
        onStderr(text) {
          if (text.includes('Waiting for new deliveries'))
            written = used.store.deliveries.insertDeliveries(rows);
        },
      });
      await written;
      return done;
    };

    it('prints each new delivery as JSON once it is logged, without rows that count, and ends after --limit', async () => {
      const done = await tail(`--source ${source_id} --limit 2 --json`, [
        row({ delivery_id: 'dlv_1' }),
        row({ delivery_id: 'dlv_1_count', request_id: null, code: 'signature_invalid', count: 7 }),
        row({ delivery_id: 'dlv_other', source_id: 'src_other' }),
        row({ delivery_id: 'dlv_2', http_status: 401, outcome: 'rejected', code: 'signature_invalid' }),
        row({ delivery_id: 'dlv_3' }),
      ]);
      expect(done.code, done.stderr).to.equal(0);
      expect(done.rows.map(({ delivery_id }) => delivery_id)).to.deep.equal(['dlv_1', 'dlv_2']);
    });

    it('has the short name sluice tail', async () => {
      const wanted = [row({ delivery_id: 'dlv_short' })];
      const done = await tail(`--source ${source_id} --limit 1 --json`, wanted, 'tail');
      expect(done.rows.map(({ delivery_id }) => delivery_id)).to.deep.equal(['dlv_short']);
    });

    it('prints only what fits all filters, one line for each', async () => {
      const done = await tail('--status 4xx --outcome rejected --limit 1', [
        row({ delivery_id: 'dlv_4' }),
        row({ delivery_id: 'dlv_5', http_status: 401, outcome: 'rejected', title: 'A\u{1b}[2J\nB' }),
      ]);
      expect(done.code, done.stderr).to.equal(0);
      expect(done.stderr.match(/Waiting for new deliveries/g)).to.have.length(1);
      expect(done.stdout.split('\n')).to.have.length(2);
      expect(done.stdout)
        .to.match(/^\S+Z {2}401 {2}/)
        .and.contain('dlv_5')
        .and.not.contain('\u{1b}');
    });

    for (const [args, code, about] of [
      ['--source src_none', 1, 'There is no source src_none'],
      ['--status 6xx', 2, 'Not an HTTP status or class. Examples: 401, 4xx'],
      ['--outcome lost', 2, 'Allowed choices are created'],
    ] as const)
      it(`rejects tail ${args}`, async () => {
        const done = await used.run(`deliveries tail ${args}`);
        expectFailure(done, code, about);
      });
  });

  it('prints the version, as package.json has it, and the commit of the build', async () => {
    const done = await used.run('--version');
    expect(done).to.include({ code: 0 });
    expect(done.stdout).to.match(/^\d+\.\d+\.\d+ \((?:[0-9a-f]{12}(?:-dirty)?|unknown)\)\n$/);
  });
});
