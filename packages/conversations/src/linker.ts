import type { PendingChange } from '@sluice/contract/message/change';
import type { ConversationLinks } from '@sluice/store/conversations/conversation-links';
import type { PendingRecord } from '@sluice/store/pending/pending-record';
import { contactKeys, type LinkLeadDeps, linkLead } from './link-lead.ts';

export interface LinkerDeps extends LinkLeadDeps {
  readonly conversationLinks: ConversationLinks;
  /** Called with each error, and with null when the next look succeeds. */
  readonly onChange: (error: unknown) => void;
  /** How often to look for what a process that died has left. Milliseconds. */
  readonly everyMs?: number;
  /** Conversations that wait for less are left to the process that knows of them. Milliseconds. */
  readonly graceMs?: number;
}

/** Links conversations to leads, whichever of them changes. Several processes may do so at once. */
export interface Linker {
  /** Links a conversation in the background. */
  linkSoon(conversationId: string): void;
  /**
   * Links conversations of contacts that changed leads fit, and those of leads that may fit no longer. They wait from now on, so
   * nothing is lost if this process dies. Throws if the store is unavailable.
   */
  leadsChanged(accountId: string, records: readonly PendingRecord[]): Promise<void>;
  /** Looks once for conversations that wait. Throws if the store is unavailable. */
  sweep(): Promise<void>;
  /** Resolves once nothing is under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 3000;
const GRACE_MS = 3000;
const BATCH = 200;
const MOST_AT_ONCE = 8;
/** More are left to the next look. */
const MOST_WAITING = 10_000;

export function createLinker(deps: LinkerDeps): Linker {
  const { conversationLinks, leadDeps, onChange, everyMs = EVERY_MS, graceMs = GRACE_MS } = deps;
  const waiting = new Set<string>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  let failing = false;

  function noteOutcome(error: unknown): void {
    if (error !== null || failing) onChange(error);
    failing = error !== null;
  }

  function start(): void {
    for (const id of waiting) {
      if (running.size >= MOST_AT_ONCE) return;
      waiting.delete(id);
      const one = linkLead(deps, id)
        .then(() => noteOutcome(null), noteOutcome)
        .finally(() => {
          running.delete(one);
          start();
        });
      running.add(one);
    }
  }

  function linkSoon(conversationId: string): void {
    if (stopped || waiting.size >= MOST_WAITING) return;
    waiting.add(conversationId);
    start();
  }

  async function sweep(): Promise<void> {
    const due = await conversationLinks.dueSince(leadDeps.now() - graceMs, BATCH);
    for (const id of due) await linkLead(deps, id);
  }

  const later = () =>
    setTimeout(() => {
      looking = sweep()
        .then(() => noteOutcome(null), noteOutcome)
        .finally(() => {
          if (!stopped) timer = later();
        });
    }, everyMs).unref();
  let looking: Promise<void> = Promise.resolve();
  let timer = later();

  return {
    linkSoon,
    sweep,
    async leadsChanged(accountId, records) {
      const changed = records.flatMap(({ collection, id, changes }) =>
        collection === 'leads' ? changes.filter(changesContact).map((change) => ({ id, change })) : [],
      );
      if (changed.length === 0) return;
      const { phone_region } = await leadDeps.settings.read(accountId);
      const keys = changed.flatMap(({ change }) => contactKeys(textsOf(change.data), phone_region));
      const updated = changed.filter(({ change }) => change.kind === 'lead.updated').map(({ id }) => id);
      const at = leadDeps.now();
      const due = await Promise.all([
        keys.length === 0 ? [] : conversationLinks.makeDue(accountId, [...new Set(keys)], at),
        updated.length === 0 ? [] : conversationLinks.makeDueOfLeads(accountId, [...new Set(updated)], at),
      ]);
      for (const id of new Set(due.flat())) linkSoon(id);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      waiting.clear();
      await Promise.all([looking, ...running]);
    },
  };
}

function changesContact({ kind, previous = {} }: PendingChange): boolean {
  return kind === 'lead.created' || (kind === 'lead.updated' && ('email' in previous || 'phone' in previous));
}

/** The email and phone number of a lead in its published changes. */
function textsOf(data: PendingChange['data']) {
  const { email, phone } = data as { readonly email?: unknown; readonly phone?: unknown };
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof phone === 'string' && { phone }),
  };
}
