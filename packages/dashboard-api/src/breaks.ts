/** Errors that a test request can simulate, to see how the webhook responds. */
export const BREAKS = {
  none: 'Valid request',
  bad_signature: 'Wrong signature',
  no_signature: 'No signature header',
  old_timestamp: 'Signed six minutes ago',
  milliseconds: 'Timestamp in milliseconds',
  missing_title: 'No title',
  no_offset: 'starts_at without an offset (accepted: read as UTC)',
  bad_date: 'A date that does not exist',
  broken_json: 'Broken JSON',
  twice: 'The same request twice',
} as const;
export type Break = keyof typeof BREAKS;
