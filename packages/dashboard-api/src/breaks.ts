/** Ways to break a request, so that the answer can be seen. */
export const BREAKS = {
  none: 'A right request',
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
