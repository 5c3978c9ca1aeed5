export interface SampleInput {
  readonly endpointUrl: string;
  /** Written into the sample; null: taken from the environment, which is where secrets belong. */
  readonly secret: string | null;
  /** ISO 8601, of the event that is sent. */
  readonly startsAt: string;
}

/** Code that sends one signed upsert when it is pasted as it stands. */
export interface Sample {
  readonly id: string;
  readonly label: string;
  /** What the pasted text is saved as, or run in. */
  readonly file: string;
  readonly run: string;
  readonly code: (input: SampleInput) => string;
}

/** The environment variable that every sample reads. */
export const SECRET_VARIABLE = 'SLUICE_SIGNING_SECRET';

/** The body that every sample sends. Signed is what is sent, byte for byte. */
export function sampleBody(startsAt: string): string {
  return JSON.stringify({
    action: 'upsert',
    event: { title: 'Open day', starts_at: startsAt, location: 'Berlin', price: 'Free' },
  });
}
