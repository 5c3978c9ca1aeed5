/** The scopes of an API key, with the sentence that the admin sees (service.md 2.1). */
export const SCOPES = {
  'read:leads': 'Read lead records: list, search, fetch by ID',
  'write:leads': 'Create and update leads, change pipeline stage',
  'read:conversations': 'Read conversation history and session data',
  'write:conversations': 'Send messages to active handoff sessions',
  webhooks: 'Create, update and delete webhook subscriptions',
} as const;

export type Scope = keyof typeof SCOPES;

export function isScope(text: string): text is Scope {
  return Object.hasOwn(SCOPES, text);
}
