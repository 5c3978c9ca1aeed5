import type { ConversationAction } from '@sluice/contract/conversation/conversation-action';
import { conversationId } from '@sluice/contract/conversation/conversation-id';
import { applyConversations } from '@sluice/conversations/apply-conversations';
import { createLinker, type Linker } from '@sluice/conversations/linker';
import { createLeadDeps, type LeadDeps } from '@sluice/leads/deps';
import { createPublisher, type Publisher } from '@sluice/outbound/publish/publisher';
import { createRaceBackoff } from '@sluice/runtime/timing/backoff';
import type { Store } from '@sluice/store/connect';
import type { Conversation } from '@sluice/store/conversations/conversation-document';
import { expect } from 'chai';
import { newAccount, useLeads } from '../../leads/support.ts';
import { until } from '../../support/until.ts';

/** A linker, and a new account for each test. */
export interface UsedLinking {
  readonly store: Store;
  publisher: Publisher;
  linker: Linker;
  leadDeps: LeadDeps;
  accountId: string;
  /** The setting of every channel. */
  makesLeads: boolean;
  /** Makes another publisher and linker. The linker looks for what waits every 10 ms, or only for what it was published. */
  connect(linksAtOnce: boolean): void;
  /** Applies an action of a contact. */
  send(
    externalId: string,
    contact: NonNullable<ConversationAction['conversation']['contact']>,
    linkSoon?: Linker['linkSoon'],
  ): Promise<void>;
  idOf(externalId: string): string;
  find(externalId: string): Promise<Conversation>;
  /** The conversation, once it no longer waits for its link. */
  settled(externalId: string): Promise<Conversation>;
  /** The lead of the conversation, once it has one. */
  linked(externalId: string): Promise<string | null>;
}

let sequence = 1_795_000_000_000_000;

/** Call inside of `describe`. */
export function useLinking(): UsedLinking {
  const used = useLeads();
  const idOf = (externalId: string) => conversationId(`chn_${at.accountId}`, externalId);
  const find = async (externalId: string) =>
    (await used.store.conversations.findConversation(at.accountId, idOf(externalId))) ??
    expect.fail('no conversation');
  const at = {
    get store() {
      return used.store;
    },
    connect(linksAtOnce: boolean) {
      at.publisher = createPublisher({
        ...used.store,
        onError: (error) => expect.fail(String(error)),
        linkLeads: (id, records) => at.linker.leadsChanged(id, records),
      });
      at.leadDeps = createLeadDeps(used.store, { publisher: at.publisher });
      at.linker = createLinker({
        ...used.store,
        leadDeps: at.leadDeps,
        sources: { findSource: async () => ({ makes_leads: at.makesLeads }) as never },
        onChange: (error) => expect(error).to.equal(null),
        everyMs: linksAtOnce ? 3_600_000 : 10,
        graceMs: 0,
      });
    },
    async send(external_id, contact, linkSoon = at.linker.linkSoon) {
      sequence += 1000;
      const action = { kind: 'open' as const, conversation: { external_id, contact } };
      const admitted = { account_id: at.accountId, source_id: `chn_${at.accountId}` };
      const deps = {
        ...used.store,
        tell: () => undefined,
        linkSoon,
        backoff: createRaceBackoff(),
        now: Date.now,
      };
      await applyConversations(deps, [{ ...admitted, sequence, received_at: sequence / 1000, action }]);
    },
    idOf,
    find,
    async settled(externalId) {
      await until(async () => (await find(externalId)).link_due_at === undefined);
      return find(externalId);
    },
    async linked(externalId) {
      await until(async () => (await find(externalId)).lead_id !== null);
      return (await find(externalId)).lead_id;
    },
  } as UsedLinking;
  beforeEach(() => {
    at.accountId = newAccount();
    at.makesLeads = false;
    at.connect(true);
  });
  afterEach(async () => {
    await at.linker.stop();
    await at.publisher.settled();
  });
  return at;
}
