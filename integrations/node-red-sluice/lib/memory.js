/** Sluice sends a message again before this many others have arrived. */
const REMEMBERED = 1000;

/**
 * Keeps the knowledge of a node over deploys. Node-RED deletes the context of a node at each deploy, unless a context store
 * is configured. So the ids are kept here for deploys, and in the context for restarts.
 */
class Memory {
  constructor() {
    /** The URL of the last subscription. */
    this.url = undefined;
    this.seen = undefined;
  }

  /** Remembers the id of a message. Returns whether it was there before. */
  wasSeen(context, id) {
    const seen = this.seen ?? context.get('seen') ?? [];
    if (seen.includes(id)) return true;
    this.seen = [...seen, id].slice(-REMEMBERED);
    context.set('seen', this.seen);
    return false;
  }
}

module.exports = { Memory };
