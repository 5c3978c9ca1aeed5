export interface SampleInput {
  readonly endpointUrl: string;
  /** Written into the sample. null: read from the environment, which is safer. */
  readonly secret: string | null;
  /** The start of the sample event, ISO 8601. */
  readonly startsAt: string;
}

/** Code that sends one signed upsert when pasted unchanged. */
export interface Sample {
  readonly id: string;
  readonly label: string;
  /** The file name for the pasted code, or `a shell`. */
  readonly file: string;
  readonly run: string;
  readonly code: (input: SampleInput) => string;
}

/** The environment variable that every sample reads. */
export const SECRET_VARIABLE = 'SLUICE_SIGNING_SECRET';

/** Returns the body that every sample sends. The signature covers exactly these bytes. */
export function sampleBody(startsAt: string): string {
  return JSON.stringify({
    action: 'upsert',
    event: { title: 'Open day', starts_at: startsAt, location: 'Berlin', price: 'Free' },
  });
}
