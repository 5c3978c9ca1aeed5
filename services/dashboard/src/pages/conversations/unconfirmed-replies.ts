import type { MessageItem } from '@sluice/dashboard-api/conversations';

/** A reply as typed. */
export interface TypedReply {
  readonly conversationId: string;
  readonly text: string;
  /** The messages that the thread shows, oldest first. */
  readonly messages: readonly MessageItem[];
}

/** The ids of replies that were sent and not confirmed yet. */
export interface UnconfirmedReplies {
  /**
   * The id to send a reply with. The same text for a conversation keeps its id for ten minutes, also if it is typed again, until its
   * response comes or the thread shows it. An agent who sees a reply and sends it again wants another one.
   */
  idOf(reply: TypedReply): string;
  /** The server has the reply. The same text is another reply from now on. */
  confirm(reply: Omit<TypedReply, 'messages'>): void;
}

interface Deps {
  readonly newId: () => string;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** A reply that was sent. */
interface Sent {
  readonly id: string;
  readonly at: number;
  /** The messages with this text that the thread showed then. */
  readonly before: ReadonlySet<string>;
  /** The first message that the thread showed then. The user may load older ones, which have nothing to do with it. */
  readonly first: string | undefined;
}

/** Far more than an agent sends without a response. The oldest ones are forgotten. */
const MOST = 100;
/** Later the same text is another reply: the thread may have dropped the first one from its loaded pages. */
const KEPT_MS = 600_000;

/** Keeps the ids in memory, so that a reply whose response was lost arrives once. */
export function createUnconfirmedReplies({ newId, now }: Deps): UnconfirmedReplies {
  const all = new Map<string, Sent>();
  return {
    idOf(reply) {
      const name = nameOf(reply);
      const sent = all.get(name);
      if (sent !== undefined && now() - sent.at < KEPT_MS && !isShown(sent, reply)) return sent.id;
      const { messages } = reply;
      const before = new Set(
        messages.filter((one) => isSame(one, reply)).map(({ message_id }) => message_id),
      );
      const id = newId();
      all.delete(name);
      all.set(name, { id, at: now(), before, first: messages[0]?.message_id });
      const [oldest] = all.keys();
      if (all.size > MOST && oldest !== undefined) all.delete(oldest);
      return id;
    },
    confirm(reply) {
      all.delete(nameOf(reply));
    },
  };
}

function nameOf({ conversationId, text }: Omit<TypedReply, 'messages'>): string {
  return JSON.stringify([conversationId, text.trim()]);
}

function isShown({ before, first }: Sent, reply: TypedReply): boolean {
  const start = reply.messages.findIndex(({ message_id }) => message_id === first);
  return reply.messages
    .slice(Math.max(0, start))
    .some((one) => isSame(one, reply) && !before.has(one.message_id));
}

function isSame({ author, text }: MessageItem, reply: TypedReply): boolean {
  return author === 'agent' && text === reply.text.trim();
}
