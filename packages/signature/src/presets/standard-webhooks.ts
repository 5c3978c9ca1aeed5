import { preset } from './preset.ts';

/** Standard Webhooks 1.0, and Svix, whose headers have other names. */
export const STANDARD_WEBHOOKS = preset('Standard Webhooks (Svix)', {
  kind: 'hmac',
  header: ['webhook-signature', 'svix-signature'],
  form: { kind: 'list', separator: ' ', prefix: 'v1,' },
  encoding: 'base64',
  signed: ['{id}', '.', '{time}', '.', '{body}'],
  time: { from: 'header', header: ['webhook-timestamp', 'svix-timestamp'], unit: 's' },
  id: { from: 'header', header: ['webhook-id', 'svix-id'] },
  key: { encoding: 'base64', strip: 'whsec_' },
});
