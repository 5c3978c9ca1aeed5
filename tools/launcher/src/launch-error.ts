/** Something that the person who started us has to mend; shown without a stack trace. */
export class LaunchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LaunchError';
  }
}
