import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { expect } from 'chai';
import type { TestSource } from '../../support/ingress.ts';
import { sendTo } from '../../support/source-changes.ts';
import { until } from '../../support/until.ts';
import type { Installation } from './installation.ts';

type Caller = Pick<Installation, 'pipeline' | 'call'>;

/** Creates, changes and moves a lead. Returns its id. */
export async function changeLead(sluice: Caller, key: string): Promise<string> {
  const { id } = await sluice.call<{ id: string }>(key, 'POST', '/leads', {
    name: 'Ada',
    email: 'ada@example.com',
    tags: ['fair'],
  });
  await sluice.call(key, 'PATCH', `/leads/${id}`, { company: 'Acme' });
  await sluice.call(key, 'POST', `/leads/${id}/stage`, { stage: 'stg_contacted' });
  return id;
}

/** Equal requests within one second would have one effect, so each differs. */
let requests = 0;

/** A conversation whose visitor waits for an agent. Returns its id. */
export async function requestHandoff(
  sluice: Caller,
  channel: TestSource,
  externalId: string,
): Promise<string> {
  requests += 1;
  const conversation = {
    external_id: externalId,
    subject: 'Hello',
    contact: { name: 'Ada' },
    session: { a: requests },
  };
  const message = { external_id: `${externalId}-1`, author: 'visitor', text: 'Hello' };
  await act(sluice, channel, [
    { action: 'open', conversation },
    { action: 'message', conversation, message },
    { action: 'request_handoff', conversation },
  ]);
  return conversationId(channel.sourceId, externalId);
}

/** A conversation that an agent has taken over. Returns its id. */
export async function handOver(sluice: Caller, channel: TestSource, externalId: string): Promise<string> {
  const id = await requestHandoff(sluice, channel, externalId);
  await act(sluice, channel, [{ action: 'accept_handoff', conversation: { external_id: externalId } }]);
  return id;
}

/** Sends an event from a new source of the account. Returns the id of the source. */
export async function sendEvent(sluice: Caller, accountId: string, event: object): Promise<string> {
  const source = await sluice.pipeline.addSource({ accountId });
  await act(sluice, source, [{ action: 'upsert', event }]);
  return source.sourceId;
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
    const { status, body: accepted } = await sendTo(sluice.pipeline, channel, body);
    expect(status).to.equal(200);
    // By its id: what was changed by API has rows in the log too, and they may come later.
    const isLogged = ({ delivery_id }: { readonly delivery_id: string }) =>
      delivery_id === accepted.delivery_id;
    await until(async () => (await sluice.pipeline.deliveries(channel)).some(isLogged));
  }
}
