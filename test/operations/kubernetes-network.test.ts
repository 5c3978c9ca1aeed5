import { readFileSync } from 'node:fs';
import { createAddressPolicy } from '@sluice/egress/address-policy';
import { expect } from 'chai';
import { parse } from 'yaml';
import { FOLDER, manifest } from './support/manifests.ts';

const PARTS = ['ingress', 'worker', 'dispatcher', 'api'];

describe('the network of the Kubernetes manifests', () => {
  it('lets Prometheus reach the admin ports from the namespace that the scaler queries', () => {
    const { ingress } = manifest('NetworkPolicy', 'sluice').spec;
    for (const { from } of ingress)
      expect(from, 'no rule admits every pod').to.be.an('array').that.is.not.empty;
    const [, { from, ports }] = ingress;
    const namespace = from[0].namespaceSelector.matchLabels['kubernetes.io/metadata.name'];
    expect(ports[0].port).to.equal('admin');
    for (const part of ['worker', 'dispatcher']) {
      const { serverAddress } = manifest('ScaledObject', `sluice-${part}`).spec.triggers[0].metadata;
      expect(new URL(serverAddress).hostname.split('.')[1], part).to.equal(namespace);
    }
  });

  it('lets dispatchers and API servers reach no network that Sluice itself refuses', () => {
    const { podSelector, egress } = manifest('NetworkPolicy', 'sluice-internet').spec;
    expect(podSelector.matchExpressions[0].values).to.deep.equal(['dispatcher', 'api']);
    const { cidr, except } = egress[0].to[0].ipBlock;
    expect(cidr).to.equal('0.0.0.0/0');
    const isPublic = createAddressPolicy({ allowPrivate: false });
    for (const block of except) expect(isPublic(block.split('/')[0]), block).to.equal(false);
    for (const network of ['10', '169.254', '172.16', '192.168', '127', '100.64'])
      expect(
        except.some((block: string) => block.startsWith(`${network}.`)),
        network,
      ).to.equal(true);
  });

  it('has a monitor that scrapes the admin port of every part, and keeps its labels', () => {
    const { spec } = parse(readFileSync(`${FOLDER}monitoring/pod-monitor.yaml`, 'utf8'));
    for (const part of PARTS)
      expect(manifest('Deployment', `sluice-${part}`).spec.template.metadata.labels).to.include(
        spec.selector.matchLabels,
      );
    expect(spec.podMetricsEndpoints).to.deep.equal([
      { port: 'admin', path: '/metrics', interval: '15s', honorLabels: true },
    ]);
  });
});
