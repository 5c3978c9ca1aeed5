import { expect } from 'chai';
import { delivery, firstWrite, SEQUENCE, storedEvent } from '../store/support.ts';
import { expectFailure, sluiceProcess, useInstallation } from './support.ts';

describe('sluice events list and deliveries list', () => {
  const used = useInstallation();
  let source_id: string;
  let other: string;

  before(async () => {
    source_id = String((await used.json('source create --name Booking'))[0]?.source_id);
    other = String((await used.json('source create --name Other'))[0]?.source_id);
    const gone = { content: null, status: null, deleted: SEQUENCE + 1_000_000, created: SEQUENCE };
    const neverAnEvent = {
      ...gone,
      status: { sequence: SEQUENCE, value: 'cancelled' as const },
      deleted: null,
      created: null,
    };
    await used.store.events.writeEvents([
      firstWrite(storedEvent({ title: 'Open day\u{1b}[2J' }, { source_id })),
      firstWrite(storedEvent({ title: 'Gone', location: '' }, { source_id, state: gone }), {
        expiresAt: Date.now() + 3_600_000,
      }),
      firstWrite(storedEvent({ title: 'Marker' }, { source_id, state: neverAnEvent }), {
        expiresAt: Date.now() + 3_600_000,
      }),
    ]);
    const rows = Array.from({ length: 60 }, (_, n) =>
      delivery({
        delivery_id: `dlv_${n}`,
        source_id,
        received_at: 1_795_250_000_000 + n,
        sequence: SEQUENCE + n,
      }),
    );
    await used.store.deliveries.insertDeliveries(rows);
  });

  it('prints an event with its id, its fields, and its times of creation and change', async () => {
    const [event, ...more] = await used.json(`events list --source ${source_id}`);
    expect(more).to.deep.equal([]);
    expect(event?.event_id).to.match(/^evt_/);
    expect(event).to.deep.equal({
      event_id: event?.event_id,
      title: 'Open day\u{1b}[2J',
      starts_at: '2026-12-01T17:00:00.000Z',
      ends_at: '2026-12-01T20:00:00.000Z',
      description: 'A look',
      location: 'Berlin',
      url: null,
      price: null,
      recurring: null,
      status: 'upcoming',
      external_id: null,
      created_at: '2026-11-21T08:33:20.000Z',
      updated_at: '2026-11-21T08:33:20.000Z',
    });
  });

  it('fails for an unknown account and lists nothing', async () => {
    for (const list of ['source list', 'key list']) {
      const { code, stdout, stderr } = await used.run(`${list} --account nobody`);
      expect([code, stdout, stderr]).to.deep.equal([
        1,
        '',
        'sluice: There is no account nobody. See: sluice account list\n',
      ]);
    }
  });

  it('includes deleted events on request, with the time of deletion', async () => {
    const events = await used.json(`events list --source ${source_id} --include-deleted`);
    expect(events).to.have.length(2);
    expect(events.find(({ title }) => title === 'Gone')).to.include({
      location: null,
      status: null,
      created_at: '2026-11-21T08:33:20.000Z',
      deleted_at: '2026-11-21T08:33:21.000Z',
    });
  });

  it('lists events by start, past ones only on request, and no more than --limit', async () => {
    const source = String((await used.json('source create --name Ordered'))[0]?.source_id);
    const inYear = (year: number) =>
      storedEvent({ title: `in ${year}`, starts_at: Date.UTC(year) }, { source_id: source });
    await used.store.events.writeEvents([2001, 9000, 2000].map((year) => firstWrite(inYear(year))));
    const titles = async (options: string) =>
      (await used.json(`events list --source ${source} ${options}`)).map(({ title }) => title);
    expect(await titles('--limit 3')).to.deep.equal(['in 2000', 'in 2001', 'in 9000']);
    expect(await titles('--when past')).to.deep.equal(['in 2000', 'in 2001']);
    expect(await titles('--when past --limit 1')).to.deep.equal(['in 2000']);
    expect(await titles('--when upcoming')).to.deep.equal(['in 9000']);
  });

  it("escapes a sender's control characters in a table", async () => {
    const { stdout } = await used.run(`events list --source ${source_id}`);
    expect(stdout).to.contain('Open day\u{fffd}[2J').and.not.contain('\u{1b}');
  });

  it('cuts a long title in a table, and escapes characters that reorder text', async () => {
    const title = `\u{202e}gpj.exe\u{200f}\u{2068}${'x'.repeat(480)}`;
    await used.store.events.writeEvents([firstWrite(storedEvent({ title }, { source_id: other }))]);
    const { stdout } = await used.run(`events list --source ${other}`);
    expect(stdout).to.contain('\u{fffd}gpj.exe\u{fffd}\u{fffd}xxx').and.contain('xx…  Berlin');
    expect(stdout).to.not.match(/\p{Bidi_Control}/u);
    for (const line of stdout.split('\n')) expect(line.length).to.be.at.most(220);
  });

  it('exits with 0 when the reader closes the pipe early', async () => {
    const args = ['deliveries', 'list', '--source', source_id, '--json'];
    const done = await sluiceProcess(args, { env: used.env, unread: true });
    expect(done).to.include({ code: 0, stderr: '' });
  });

  it('prints a delivery with the fields that scripts rely on first', async () => {
    const [row] = await used.json(`deliveries list --source ${source_id} --limit 1`);
    const fields = [
      'delivery_id',
      'received_at',
      'action',
      'http_status',
      'title',
      'outcome',
      'code',
      'request_id',
      'duplicate_of',
    ];
    expect(Object.keys(row ?? {}).slice(0, 9)).to.deep.equal(fields);
    expect(row).to.include({
      delivery_id: 'dlv_59',
      received_at: '2026-11-21T08:33:20.059Z',
      action: 'upsert',
      http_status: 200,
      title: 'Open day',
      outcome: 'created',
      code: null,
      request_id: 'req_1',
      duplicate_of: null,
    });
  });

  it('prints every delivery with --json and a screenful in a table, newest first', async () => {
    const rows = await used.json(`deliveries list --source ${source_id}`);
    expect(rows.map((row) => row.delivery_id)).to.deep.equal(
      Array.from({ length: 60 }, (_, n) => `dlv_${59 - n}`),
    );
    const { stdout } = await used.run(`deliveries list --source ${source_id}`);
    expect(stdout.trim().split('\n')).to.have.length(1 + 50);
    const limited = await used.json(`deliveries list --source ${source_id} --limit 3`);
    expect(limited.map((row) => row.delivery_id)).to.deep.equal(['dlv_59', 'dlv_58', 'dlv_57']);
  });

  for (const list of ['events list', 'deliveries list']) {
    it(`fails ${list} for an unknown source`, async () => {
      const done = await used.run(`${list} --source src_none --json`);
      expectFailure(done, 1, 'There is no source src_none');
    });
  }
});
