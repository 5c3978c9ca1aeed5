/** The platforms whose integrations keep the secret, with what gives them the new one. */
const NOTES: Readonly<Record<string, (keyId: string | null) => string>> = {
  n8n: (keyId) =>
    keyId === null
      ? 'n8n cannot ask for the new secret, because the subscription belongs to no API key. Unpublish the workflow and publish it again. Messages that arrive after the overlap and before that fail, and are sent again.'
      : 'n8n asks for the new secret at the first message that needs it.',
  zapier: (keyId) =>
    keyId === null
      ? 'Zapier cannot ask for the new secret, because the subscription belongs to no API key. Switch the Zap off and on during the overlap, or its messages are lost.'
      : 'Zapier asks for the new secret at each message.',
  'node-red': () => 'Node-RED asks for the new secret at the next message.',
};

/**
 * The behaviour of a platform after a rotation of the secret of a subscription. Undefined: its receiver is not one of our
 * integrations, so the secret must be changed there. `keyId` is null for a subscription of the account.
 */
export function rotatedSecretNote({
  platform,
  keyId,
}: {
  readonly platform: string | null | undefined;
  readonly keyId: string | null;
}): string | undefined {
  const id = platform?.toLowerCase() ?? '';
  return Object.hasOwn(NOTES, id) ? NOTES[id]?.(keyId) : undefined;
}
