/** The state of a dispatcher, as it knows it. */
export interface DispatcherState {
  /** MongoDB has the right version and its indexes. */
  readonly prepared: boolean;
  /** Its keys open no signing secret of this installation. */
  readonly isKeyUnknown: boolean;
  /** Its loops have begun. */
  readonly taking: boolean;
  readonly stopping: boolean;
  readonly isMongoAway: boolean;
  /** MongoDB responds, and does not store its log. */
  readonly isLogFailing: boolean;
  /** The latest claim of turns in a shard failed. */
  readonly areClaimsFailing: boolean;
}

/** Why a dispatcher cannot take turns now; null if it can. The dashboard shows it beside the process. */
export function troubleOf(state: DispatcherState): string | null {
  if (state.stopping) return 'stopping';
  if (state.isMongoAway) return 'MongoDB is not available';
  if (!state.prepared) return 'the database is not prepared yet';
  if (state.isKeyUnknown) return 'its SLUICE_SECRET_KEY opens no signing secret';
  if (!state.taking) return 'not taking turns yet';
  if (state.isLogFailing) return 'MongoDB does not store its log of messages';
  return state.areClaimsFailing ? 'Redis does not let it take turns' : null;
}
