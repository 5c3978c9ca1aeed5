/**
 * The scopes of an API key, with the sentence that the admin sees. That of `webhooks` also says what the messages
 * contain, because they need no reading scope.
 */
export const SCOPES = {
  'read:leads': 'Read lead records: list, search, fetch by ID',
  'write:leads': 'Create and update leads, change pipeline stage',
  'read:conversations': 'Read conversation history and session data',
  'write:conversations': 'Send messages to active handoff sessions',
  webhooks:
    'Create, update and delete webhook subscriptions, and so receive leads, conversations and events in full',
} as const;

export type Scope = keyof typeof SCOPES;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
