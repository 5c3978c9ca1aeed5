import { NO_RULES, preset } from './preset.ts';

/** The key is the client secret of the app. Shopify's headers with time and id are not signed. */
export const SHOPIFY = preset(
  'Shopify',
  {
    kind: 'hmac',
    header: 'X-Shopify-Hmac-Sha256',
    encoding: 'base64',
    signed: ['{body}'],
  },
  NO_RULES,
);
