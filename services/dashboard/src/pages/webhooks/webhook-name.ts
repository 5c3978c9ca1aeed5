import type { WebhookItem } from '@sluice/dashboard-api/webhooks';

/** How a person tells subscriptions apart: its name, its workflow, or the host of its URL. */
export function webhookName({ name, client, target_url }: WebhookItem): string {
  return name ?? client?.workflow_name ?? new URL(target_url).host;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  n8n: 'n8n',
  zapier: 'Zapier',
  make: 'Make',
  'node-red': 'Node-RED',
};

/** The name of a platform for people. One that is not known has its own. */
export function platformName(platform: string): string {
  return PLATFORMS[platform.toLowerCase()] ?? platform;
}

/** Names its creator: "n8n, with the key CRM". */
export function madeBy({ key, client }: WebhookItem): string {
  const platform = client?.platform;
  const by = key === null ? 'an admin' : `the key ${key.name}`;
  return platform == null ? by : `${platformName(platform)}, with ${by}`;
}

/** The kinds in words. `*` means every kind. */
export function kindsInWords(events: readonly string[]): string {
  return events.includes('*') ? 'All events' : events.join(', ');
}
