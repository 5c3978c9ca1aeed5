const REPLY = 'reply_';

/** The id under which the replies of a channel are delivered. */
export function replyId(channelId: string): string {
  return `${REPLY}${channelId}`;
}

/** The channel whose replies have this id. */
export function channelOf(subscriptionId: string): string {
  return subscriptionId.slice(REPLY.length);
}
