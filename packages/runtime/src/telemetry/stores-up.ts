import type { Metrics } from './metrics.ts';

const STORES = ['redis', 'mongodb'];

/** Reports at every scrape which stores answer, from the look that /readyz makes. `look` names those that the process needs. */
export function observeStores({
  metrics,
  look,
}: {
  readonly metrics: Pick<Metrics, 'gauge'>;
  readonly look: () => Promise<Readonly<Record<string, string>>>;
}): void {
  metrics.gauge({
    name: 'sluice_store_up',
    help: '1: the store answers this process. 0: it does not.',
    labelNames: ['store'],
    aggregator: 'min',
    async collect() {
      const found = await look();
      for (const store of STORES) if (store in found) this.set({ store }, Number(found[store] === 'ok'));
    },
  });
}
