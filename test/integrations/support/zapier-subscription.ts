/** The subscription of a Zap, as the API returns it. */
export const SUBSCRIPTION = {
  id: 'sub_1',
  target_url: 'https://hooks.zapier.com/1',
  events: ['lead.created'],
  ordered: false,
  filter: { source_id: null, channel_id: null, stage: null },
  client: { platform: 'zapier', workflow_name: null, workflow_url: null, mode: null },
};
