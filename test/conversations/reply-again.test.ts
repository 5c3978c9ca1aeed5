import { MINUTE_MS } from '@sluice/contract/time/durations';
import { applyConversations } from '@sluice/conversations/apply-conversations';
import { type ActDeps, type Replied, reply } from '@sluice/conversations/enqueue-and-apply';
import type { Admitted } from '@sluice/conversations/fold-conversation';
import { newId } from '@sluice/credentials/ids';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import { expect } from 'chai';
import { useLeads } from '../leads/support.ts';
import { applyActions, visitorSays } from '../support/conversations.ts';

describe('conversations: a reply that is sent again', () => {
  const used = useLeads();

  /** A conversation with an agent, and a reply that was admitted and not applied. Then the handoff was ended. */
  async function cutOff() {
    const accountId = newId('acc');
    const channel = { accountId, channelId: newId('chn') };
    const conversation = { external_id: 'chat' };
    await applyActions(used.store, channel, [visitorSays('chat', 'Hello')]);
    const conversationId = await applyActions(used.store, channel, [
      { kind: 'accept_handoff', conversation },
    ]);
    const admitted: Admitted[] = [];
    const deps: ActDeps = {
      ...{
        ...used.store,
        tell: () => undefined,
        linkSoon: () => undefined,
        backoff: createRaceBackoff(),
        now: Date.now,
      },
      enqueueActions: async (source_id, wanted) =>
        wanted.map(({ action }) => {
          const received_at = Date.now();
          const sequence = received_at * 1000;
          admitted.push({ account_id: accountId, source_id, sequence, received_at, action });
          return { outcome: 'enqueued', sequence, received_at };
        }),
    };
    const wanted = {
      ...{ accountId, conversationId, text: 'We are open.', authorName: null, externalId: 'sluice-1' },
      by: { type: 'api_key', id: 'key_1', name: 'Bot' } as const,
    };
    const dies = {
      ...used.store.conversations,
      writeConversation: () => Promise.reject(new Error('killed')),
    };
    const first = await reply({ ...deps, conversations: dies }, wanted).catch(String);
    expect(first).to.equal('Error: killed');
    await applyActions(used.store, channel, [{ kind: 'end_handoff', conversation }]);
    return {
      admitted,
      again: (triedAt?: number): Promise<Replied> =>
        reply(deps, { ...wanted, ...(triedAt !== undefined && { triedAt }) }),
      workerCatchesUp: () => applyConversations(deps, admitted),
    };
  }

  it('is not rejected for the state until the first try is applied, and then is that one', async () => {
    const { again, admitted, workerCatchesUp } = await cutOff();
    const waits = await again(Date.now());
    expect(waits).to.deep.include({ status: 'refused' });
    expect(waits).to.have.nested.property('refusal.code', 'unavailable');
    await workerCatchesUp();
    expect(await again(Date.now())).to.have.nested.property('message.text', 'We are open.');
    expect(admitted).to.have.length(1);
  });

  it('is rejected for the state ten minutes after the first try', async () => {
    const { again } = await cutOff();
    expect(await again(Date.now() - 9 * MINUTE_MS)).to.include({ status: 'refused' });
    expect(await again(Date.now() - 11 * MINUTE_MS)).to.deep.equal({ status: 'wrong_state', state: 'open' });
  });

  it('is rejected for the state at once if it is the first', async () => {
    const { again } = await cutOff();
    expect(await again()).to.deep.equal({ status: 'wrong_state', state: 'open' });
  });
});
