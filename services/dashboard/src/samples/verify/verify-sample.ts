/** A whole program that receives messages and verifies them. It needs the standard library only. */
export interface VerifySample {
  readonly id: string;
  readonly label: string;
  /** The file name for the pasted code. */
  readonly file: string;
  readonly run: string;
  /** It listens on port 3000 and reads the secret from the environment. */
  readonly code: string;
}

/** The environment variable that every program reads. */
export const WEBHOOK_SECRET_VARIABLE = 'SLUICE_WEBHOOK_SECRET';
