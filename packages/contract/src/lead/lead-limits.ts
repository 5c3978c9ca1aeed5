/** Limits of a lead's fields: characters (Unicode code points), and numbers of tags and custom fields. */
export const LEAD_MAX = {
  name: 200,
  company: 200,
  email: 254,
  phone: 50,
  external_id: 200,
  note: 10_000,
  tags: 20,
  tag: 50,
  fields: 50,
  /** The name of a custom field. */
  field_name: 100,
  /** A custom field with a text. */
  field_text: 2_000,
} as const;
