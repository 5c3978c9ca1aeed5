/** The waits before another try to subscribe, while Sluice does not respond. The last one repeats. */
const WAITS_MS = [2_000, 5_000, 15_000, 60_000];
/** A forged message asks for the secret again, at most this often. */
const REFRESH_MS = 60_000;

/**
 * Keeps the subscription of one node. The API has one subscription for a URL, so a deploy and a restart find the same one
 * again. `show` gets what to tell the user: { state: 'subscribing' | 'subscribed' | 'waiting' | 'rejected', error }.
 */
class Subscriber {
  constructor({ api, body, show }) {
    Object.assign(this, {
      api,
      body,
      show,
      timer: undefined,
      isClosed: false,
      /** Whether the account had as many subscriptions as it may have at the last try. */
      isFull: false,
      refreshedAt: 0,
    });
  }

  /** Subscribes, and tries again while Sluice does not respond or the account is full. Never rejects. */
  async start(tried = 0) {
    clearTimeout(this.timer);
    this.show({ state: 'subscribing' });
    try {
      await this.subscribe();
      if (this.isClosed) return;
      this.show({ state: 'subscribed' });
    } catch (error) {
      if (this.isClosed) return;
      this.show({ state: error.isTemporary ? 'waiting' : 'rejected', error });
      if (!error.isTemporary && !this.isFull) return;
      const wait = WAITS_MS[Math.min(tried, WAITS_MS.length - 1)];
      this.timer = setTimeout(() => this.start(tried + 1), wait);
    }
  }

  subscribe() {
    this.attempt = this.api.call('POST', '/webhooks', { body: this.body, tries: 1 }).then(
      (made) => {
        const { id, secret } = made ?? {};
        // Another service at the base URL can respond with 200 too.
        if (typeof id !== 'string' || typeof secret !== 'string')
          throw new Error(
            'No Sluice API server responds at the base URL. Enter the address of your dashboard.',
          );
        Object.assign(this, { id, secret, isFull: false });
      },
      (error) => {
        this.isFull = error.code === 'subscription_limit_reached';
        throw error;
      },
    );
    return this.attempt;
  }

  /** Moves a subscription from an earlier address to the present one. So it needs no place beside the others. */
  async moveHere(id) {
    if (this.isClosed) return;
    const { target_url } = this.body;
    this.moving = this.api.call('PATCH', `/webhooks/${id}`, { body: { target_url }, tries: 1 });
    await this.moving;
    if (!this.isClosed) await this.start();
  }

  /** The secret. A first message can arrive before the response that has the secret, so this waits for it. */
  async readSecret() {
    if (this.secret === undefined) await this.attempt?.catch(() => undefined);
    return this.secret;
  }

  /** The id of the subscription. Undefined while Sluice does not respond. */
  async readId() {
    await this.attempt?.catch(() => undefined);
    return this.id;
  }

  /** Asks for the secret again, because it may have been rotated. Returns whether it did. */
  async refresh(nowMs) {
    if (this.isClosed || nowMs - this.refreshedAt < REFRESH_MS) return false;
    this.refreshedAt = nowMs;
    return this.subscribe().then(
      () => true,
      () => false,
    );
  }

  /** Ends the tries. The subscription stays: Sluice keeps what happens until the flow is back. */
  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Deletes the subscription, after a request that could revive it or move one here. The API answers 204 also if it is gone. */
  async unsubscribe() {
    this.close();
    await Promise.allSettled([this.attempt, this.moving]);
    await this.api.call('DELETE', '/webhooks', { query: { url: this.body.target_url }, tries: 1 });
  }
}

module.exports = { Subscriber };
