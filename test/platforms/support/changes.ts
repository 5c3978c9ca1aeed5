import { conversationId } from '@sluice/contract/conversation-id';
import { REFUSING } from '@sluice/contract/source-refusing';
import { eraseLead } from '@sluice/leads/erase-lead';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import { post } from '../../support/post.ts';
import { signed } from '../../support/signed.ts';
import type { Installation } from './installation.ts';

type Caller = Pick<Installation, 'pipeline' | 'call'>;

async function send({ pipeline }: Caller, source: TestSource, body: object): Promise<number> {
  return (await post(pipeline.urls[0] + source.path, signed({ secret: source.secret, body }))).status;
}

/** Creates, changes, cancels and deletes an event. */
export async function changeEvent(sluice: Caller, source: TestSource): Promise<void> {
  const event = { title: 'Fair', starts_at: '2030-04-01T08:00:00Z', location: 'Hall' };
  const bodies = [
    { action: 'upsert', event },
    { action: 'upsert', event: { ...event, price: 'Free' } },
    { action: 'cancel', event },
    { action: 'delete', event },
  ];
  for (const [index, body] of bodies.entries()) {
    expect(await send(sluice, source, body)).to.equal(200);
    await sluice.pipeline.logged(source, index + 1);
  }
}

/** Sends as many wrong requests as a source reports. */
export async function refuse(sluice: Caller, source: TestSource): Promise<void> {
  const body = { action: 'upsert', event: { title: 'Fair', starts_at: 'soon' } };
  for (let n = 0; n < REFUSING.refusals; n++) expect(await send(sluice, source, body)).to.equal(400);
}

/** Creates, changes, moves and erases a lead. */
export async function changeLead(sluice: Caller, key: string, accountId: string): Promise<void> {
  const { id } = await sluice.call<{ id: string }>(key, 'POST', '/leads', {
    name: 'Ada',
    email: 'ada@example.com',
    tags: ['fair'],
  });
  await sluice.call(key, 'PATCH', `/leads/${id}`, { company: 'Acme' });
  await sluice.call(key, 'POST', `/leads/${id}/stage`, { stage: 'stg_contacted' });
  const { store } = sluice.pipeline;
  const actor = { type: 'system', id: 'test' } as const;
  // The sweepers tell the change, as if the process had died before it could.
  const deps = { ...store, linkWaiting: async () => {}, teller: { told: () => {} }, now: Date.now };
  const erased = await eraseLead(deps as never, { accountId, leadId: id, actor });
  expect(erased.status).to.equal('erased');
}

/** A conversation that an agent has taken over. Returns its id. */
export async function handOver(sluice: Caller, channel: TestSource, externalId: string): Promise<string> {
  const conversation = {
    external_id: externalId,
    subject: 'Hello',
    contact: { name: 'Ada' },
    session: { a: 1 },
  };
  const message = { external_id: `${externalId}-1`, author: 'visitor', text: 'Hello' };
  await act(sluice, channel, [
    { action: 'open', conversation },
    { action: 'message', conversation, message },
    { action: 'request_handoff', conversation },
    { action: 'accept_handoff', conversation },
  ]);
  return conversationId(channel.sourceId, externalId);
}

/** Ends the handoff of a conversation and closes it. */
export async function endConversation(
  sluice: Caller,
  channel: TestSource,
  external_id: string,
): Promise<void> {
  await act(sluice, channel, [
    { action: 'end_handoff', conversation: { external_id } },
    { action: 'close', conversation: { external_id } },
  ]);
}

async function act(sluice: Caller, channel: TestSource, bodies: readonly object[]): Promise<void> {
  for (const body of bodies) {
    const before = (await sluice.pipeline.deliveries(channel)).length;
    expect(await send(sluice, channel, body)).to.equal(200);
    await sluice.pipeline.logged(channel, before + 1);
  }
}
