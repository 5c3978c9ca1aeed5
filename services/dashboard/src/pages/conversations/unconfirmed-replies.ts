import type { MessageItem } from '@sluice/dashboard-api/conversations';

/** A reply as typed. */
export interface TypedReply {
  readonly conversationId: string;
  readonly text: string;
  /** The messages that the thread shows. */
  readonly messages: readonly MessageItem[];
}

/** The ids of replies that were sent and not confirmed yet. */
export interface UnconfirmedReplies {
  /**
   * The id to send a reply with. The same text for a conversation keeps its id, also if it is typed again, until its response comes or
   * the thread shows it. An agent who sees a reply and sends it again wants another one.
   */
  idOf(reply: TypedReply): string;
  /** The server has the reply. The same text is another reply from now on. */
  confirm(reply: Omit<TypedReply, 'messages'>): void;
}

/** Far more than an agent sends without a response. The oldest ones are forgotten. */
const MOST = 100;

/** Keeps the ids in memory, so that a reply whose response was lost arrives once. */
export function createUnconfirmedReplies(newId: () => string): UnconfirmedReplies {
  /** `shown`: how often the thread had the text when the reply was sent. */
  const sent = new Map<string, { readonly id: string; readonly shown: number }>();
  return {
    idOf(reply) {
      const name = nameOf(reply);
      const shown = countShown(reply);
      const before = sent.get(name);
      const own = before !== undefined && before.shown >= shown ? before : { id: newId(), shown };
      sent.set(name, own);
      const [oldest] = sent.keys();
      if (sent.size > MOST && oldest !== undefined) sent.delete(oldest);
      return own.id;
    },
    confirm(reply) {
      sent.delete(nameOf(reply));
    },
  };
}

function nameOf({ conversationId, text }: Omit<TypedReply, 'messages'>): string {
  return JSON.stringify([conversationId, text.trim()]);
}

function countShown({ text, messages }: TypedReply): number {
  return messages.filter(({ author, text: own }) => author === 'agent' && own === text.trim()).length;
}
