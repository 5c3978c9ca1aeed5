import type { PresetName } from './presets.ts';

/** What an admin does at the platform of a preset, in order. */
export const STEPS: Readonly<Record<PresetName, readonly string[]>> = {
  'standard-webhooks': [
    'Add an endpoint at the sender, with the endpoint URL above.',
    'Copy its signing secret, which begins with whsec_, and paste it above.',
  ],
  calendly: [
    'Make a webhook subscription with the API of Calendly (on a paid plan): POST https://api.calendly.com/webhook_subscriptions.',
    'Send the endpoint URL as url, the signing secret as signing_key, and invitee.created and invitee.canceled as events.',
    'An OAuth app of Calendly makes the key itself. Paste that key above instead.',
  ],
  'cal-com': [
    'Open Settings > Developer > Webhooks in Cal.com, and add a webhook.',
    'Paste the endpoint URL as the subscriber URL, and the signing secret as the secret.',
    'Choose the triggers for bookings that are created, rescheduled, cancelled and rejected. Keep the default payload.',
  ],
  'ticket-tailor': [
    'Open Settings > API > Webhooks in Ticket Tailor. Add the endpoint URL for events that are created, updated and deleted.',
    'Copy the shared secret from the same page, and paste it above.',
  ],
  typeform: [
    'Open Connect > Webhooks of the form in Typeform, and add a webhook with the endpoint URL.',
    'Choose Edit, enter the signing secret as the secret, and switch the webhook on.',
  ],
  github: [
    'Open Settings > Webhooks of the repository or organization, and add a webhook.',
    'Paste the endpoint URL as the payload URL, and the signing secret as the secret.',
    'Choose application/json as the content type.',
  ],
  stripe: [
    'Open Developers > Webhooks in Stripe, and add an endpoint with the endpoint URL.',
    'Reveal its signing secret, which begins with whsec_, and paste it above.',
  ],
  shopify: [
    'Open Settings > Notifications > Webhooks in Shopify. Add a webhook with the endpoint URL, in the format JSON.',
    'Copy the secret that the page shows, for an app its client secret, and paste it above.',
  ],
  hmac: [
    'Configure the endpoint URL and the signing secret in the sender. If the sender makes the secret, paste it above.',
    'The sender signs the exact bytes of the body: HMAC-SHA256 in hex, in the header X-Signature. Describe another form in a profile (Change sender).',
  ],
  token: [
    'Configure the endpoint URL in the sender.',
    'Let it send the header Authorization: Bearer, with the signing secret as the token. Describe another header in a profile (Change sender).',
  ],
  basic: [
    'Configure the endpoint URL in the sender.',
    'Let it authenticate with the user sluice, and the signing secret as the password. Describe another user in a profile (Change sender).',
  ],
};
