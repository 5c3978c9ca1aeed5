export interface SampleInput {
  readonly endpointUrl: string;
  /** Written into the sample. null: read from the environment, which is safer. */
  readonly secret: string | null;
  /**
   * Sent byte for byte. One line without a backtick or ${: Node and Go enclose it in backticks. Users write their text into the pasted code, so
   * quotes and other letters must work.
   */
  readonly body: string;
}

/** Code that sends one signed request when pasted unchanged. */
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
