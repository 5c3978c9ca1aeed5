import { expect } from 'chai';
import { addKey } from '../support/api-processes.ts';
import type { TestSource } from '../support/ingress.ts';
import { requestHandoff, sendEvent } from './support/changes.ts';
import { createFlows } from './support/flows.ts';
import { type Installation, startInstallation } from './support/installation.ts';
import { type FlowNode, type NodeRed, startNodeRed } from './support/node-red.ts';

type Row = Record<string, unknown>;

/** The nodes that act, by their ids: type and properties. */
const ACTING: Readonly<Record<string, readonly [type: string, more: Row]>> = {
  create: ['sluice-lead', { operation: 'create' }],
  upsert: ['sluice-lead', { operation: 'upsert', matchOn: 'email' }],
  update: ['sluice-lead', { operation: 'update', leadId: 'lead_id', leadIdType: 'msg' }],
  move: [
    'sluice-lead',
    { operation: 'move', leadId: 'payload.id', leadIdType: 'msg', stage: 'stg_contacted' },
  ],
  get: ['sluice-lead', { operation: 'get', leadId: 'payload.id', leadIdType: 'msg' }],
  find: ['sluice-lead', { operation: 'find', limit: '' }],
  some: ['sluice-lead', { operation: 'find', limit: '7' }],
  reply: [
    'sluice-conversation',
    { operation: 'reply', conversationId: 'conversation_id', authorName: 'Grace' },
  ],
  accept: ['sluice-conversation', { operation: 'accept', conversationId: 'conversation_id' }],
  end: ['sluice-conversation', { operation: 'end', conversationId: 'conversation_id' }],
  conversation: ['sluice-conversation', { operation: 'get', conversationId: 'conversation_id' }],
  conversations: ['sluice-conversation', { operation: 'find' }],
  events: ['sluice-event', { operation: 'find' }],
  event: ['sluice-event', { operation: 'get', eventId: 'event_id' }],
  messages: ['sluice-conversation', { operation: 'messages', conversationId: 'conversation_id' }],
};

describe('node-red: the nodes sluice lead and sluice conversation', function () {
  this.timeout(300_000);
  let sluice: Installation;
  let nodeRed: NodeRed;
  let flows: ReturnType<typeof createFlows>;
  let channel: TestSource;
  let key: string;
  before(async () => {
    [sluice, nodeRed] = await Promise.all([startInstallation(), startNodeRed()]);
    flows = createFlows({ apiUrl: sluice.apiUrl, publicUrl: nodeRed.url });
    channel = await sluice.pipeline.addChannel();
    key = await addKey(sluice.pipeline, channel.accountId);
    await deployWith(key);
  });
  after(async () => {
    await nodeRed?.remove();
    await sluice?.stop();
  });

  const deployWith = (apiKey: string, ...more: FlowNode[]) => {
    const acting = Object.entries(ACTING).flatMap(([id, [type, properties]]) =>
      flows.acting(id, type, properties),
    );
    return nodeRed.deploy([...flows.base(apiKey), ...acting, ...more]);
  };
  /** Runs a node on a message with this payload. Returns its payload, or `error`. */
  const act = async <T = Row>(id: string, payload: unknown, more: Row = {}) => {
    const response = await fetch(`${nodeRed.url}/act/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...more, payload }),
    });
    return (await response.json()) as T;
  };

  it('creates, updates, moves, reads and finds a lead', async () => {
    const made = await act('create', { name: 'Ada Lovelace', email: 'ada@example.com', tags: ['fair'] });
    expect(made).to.deep.include({ name: 'Ada Lovelace', stage: 'stg_new', tags: ['fair'], origin: 'api' });
    const updated = await act('update', { company: 'Acme', fields: { budget: 1200 } }, { lead_id: made.id });
    expect(updated).to.deep.include({ id: made.id, company: 'Acme', fields: { budget: 1200 } });
    expect(await act('move', made)).to.include({ id: made.id, stage: 'stg_contacted' });
    expect(await act('get', made)).to.include({ company: 'Acme', stage: 'stg_contacted' });
    expect((await act<Row[]>('find', { q: 'lovel' })).map(({ id }) => id)).to.deep.equal([made.id]);
    expect(await act('find', { email: 'nobody@example.com' })).to.deep.equal([]);
  });

  it('creates or updates a lead from a whole record, one for ten messages at the same time', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, () => act('upsert', { email: 'grace@example.com', name: 'Grace' })),
    );
    expect(new Set(all.map(({ id }) => id)).size).to.equal(1);
    const again = await act('upsert', { ...all[0], company: 'Navy' });
    expect(again).to.include({ id: all[0]?.id, company: 'Navy', created: false });
  });

  it('creates one lead for a message that runs twice', async () => {
    const message = { _msgid: 'run-twice' };
    const [first, second] = [
      await act('create', { email: 'twice@example.com' }, message),
      await act('create', { email: 'twice@example.com' }, message),
    ];
    expect(first.id).to.be.a('string').that.equals(second.id);
    expect(await act('find', { email: 'twice@example.com' })).to.have.length(1);
  });

  it('reads every page of a list, or as many records as the node says', async () => {
    const emails = Array.from({ length: 60 }, (_, index) => `many${index}@example.com`);
    for (const email of emails) await sluice.call(key, 'POST', '/leads', { email, tags: ['many'] });
    const all = await act<Row[]>('find', { tag: 'many' });
    expect(all.map(({ email }) => email).sort()).to.deep.equal([...emails].sort());
    expect(await act('some', { tag: 'many' })).to.have.length(7);
  });

  it('reads conversations, accepts the handoff of a visitor who waits, replies, and ends it', async () => {
    const conversation_id = await requestHandoff(sluice, channel, 'c-1');
    expect(await act('accept', null, { conversation_id })).to.include({ status: 'handoff_active' });
    const sent = await act('reply', 'Hello Ada', { conversation_id });
    expect(sent).to.include({ text: 'Hello Ada', author_name: 'Grace' });
    // The channel has no reply URL, so its delivery fails soon.
    expect(sent.delivery).to.be.oneOf(['pending', 'failed']);
    expect(await act('conversation', null, { conversation_id })).to.include({ status: 'handoff_active' });
    const found = await act<Row[]>('conversations', { status: 'handoff_active' });
    expect(found.map(({ id }) => id)).to.deep.equal([conversation_id]);
    const messages = await act<Row[]>('messages', null, { conversation_id });
    expect(messages.map(({ text }) => text)).to.deep.equal(['Hello', 'Hello Ada']);
    expect(await act('end', null, { conversation_id })).to.include({ status: 'open' });
    expect(await act('reply', 'Bye', { conversation_id }))
      .to.have.property('error')
      .that.matches(/is open/);
  });

  it('reads events', async () => {
    const event = { title: 'Open day', starts_at: '2027-05-01T10:00:00Z' };
    const source = await sendEvent(sluice, channel.accountId, event);
    const [found] = await act<Row[]>('events', { source, status: 'upcoming' });
    expect(found).to.include({ title: 'Open day' });
    expect(await act('event', null, { event_id: found?.id })).to.deep.equal(found);
  });

  it('says in a sentence what was wrong', async () => {
    const errorOf = async (id: string, payload: unknown) => String((await act(id, payload)).error);
    expect(await errorOf('create', { email: 'not an address' })).to.match(/email: Not an e-mail address/);
    expect(await errorOf('create', { emial: 'ada@example.com' })).to.match(/emial/);
    expect(await errorOf('create', 'Ada')).to.match(/msg\.payload must be an object/);
    expect(await errorOf('get', {})).to.match(/no ID of the lead in msg\.payload\.id/);
    expect(await errorOf('get', { id: 'lead_unknown' })).to.match(/^This account has no lead with/);
    await deployWith(await addKey(sluice.pipeline, channel.accountId, ['webhooks']));
    expect(await errorOf('create', { name: 'Ada' })).to.match(/write:leads/);
    await deployWith('slc_live_wrong');
    expect(await errorOf('create', { name: 'Ada' })).to.match(/key/i);
    await deployWith(key);
  });

  it('runs the example that makes a lead of a booking, and changes that lead at the next booking', async () => {
    const path = '/library/examples/flows/node-red-sluice/booking-to-lead';
    const example = await nodeRed.admin<FlowNode[]>('GET', path);
    const configured = example.map((node) =>
      node.type === 'sluice-config'
        ? { ...node, baseUrl: sluice.apiUrl, credentials: { apiKey: key } }
        : node,
    );
    await nodeRed.deploy(configured);
    const book = async (triggerEvent: string, attendee: Row) => {
      const payload = { title: 'First talk', startTime: '2027-05-01T10:00:00Z', attendees: [attendee] };
      const { status } = await fetch(`${nodeRed.url}/bookings/CHOOSE-A-SECRET`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ triggerEvent, payload }),
      });
      return status;
    };
    const email = 'booker@example.com';
    expect(await book('BOOKING_CREATED', { name: 'Bo', email, phoneNumber: '+493012345' })).to.equal(200);
    expect(await book('BOOKING_CREATED', { name: 'Bo Oker', email, phoneNumber: null })).to.equal(200);
    expect(await book('BOOKING_CANCELLED', { name: 'Other', email: 'other@example.com' })).to.equal(200);
    expect(await book('BOOKING_CREATED', { name: 'Bo', email: 'not an address' })).to.equal(502);
    const { data } = await sluice.call<{ data: Row[] }>(key, 'GET', '/leads?email=booker@example.com');
    expect(data).to.have.length(1);
    expect(data[0]).to.deep.include({
      ...{ name: 'Bo Oker', phone: '+493012345' },
      fields: { booking: 'First talk', booked_for: '2027-05-01T10:00:00Z' },
    });
    const others = await sluice.call<{ data: Row[] }>(key, 'GET', '/leads?email=other@example.com');
    expect(others.data).to.deep.equal([]);
  });
});
