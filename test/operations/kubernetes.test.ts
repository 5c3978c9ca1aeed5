import { readFileSync } from 'node:fs';
import { variables } from '@sluice/runtime/config/variables';
import { expect } from 'chai';
import { instructionsOf } from '../compose/support/dockerfile.ts';
import { PARTS, READS } from '../compose/support/variables-read.ts';
import { faultsOf } from './support/expression-faults.ts';
import {
  CONFIG,
  type Container,
  manifest,
  readKustomization,
  readManifests,
  secretKeysOf,
} from './support/manifests.ts';
import { selectedBy } from './support/promql.ts';

const SCALED = ['worker', 'dispatcher'] as const;

const podOf = (part: string) => manifest('Deployment', `sluice-${part}`).spec.template.spec;
const containerOf = (part: string) => podOf(part).containers[0] as Container;
const secretsOf = (part: string) => secretKeysOf(containerOf(part));
const scalerOf = (part: string) => manifest('ScaledObject', `sluice-${part}`).spec;
const secretExample = manifest('Secret', 'sluice-secrets').stringData as Record<string, string>;

describe('the Kubernetes manifests', () => {
  it('are all part of the kustomization, except the example secret', () => {
    const { resources, namespace, images, configMapGenerator } = readKustomization();
    const [generated] = configMapGenerator;
    expect(generated).to.deep.include({ name: 'sluice-config', envs: ['config.env'] });
    expect([...resources, 'secret.example.yaml']).to.have.members([...readManifests().keys()]);
    expect(manifest('Namespace', namespace)).to.be.an('object');
    for (const part of PARTS)
      expect(images.map(({ name }) => name)).to.include(podOf(part).containers[0].image);
  });

  it('contain no secret', () => {
    for (const value of Object.values(secretExample)) expect(value).to.match(/PASSWORD|RANDOM/);
  });

  it('come with steps that pass no secret as an argument, which every user of the machine sees', () => {
    const steps = readFileSync(new URL('../../deploy/kubernetes/README.md', import.meta.url), 'utf8');
    expect(steps).to.include('--from-env-file');
    expect(steps).not.to.match(/--from-literal/);
  });

  it('set only variables that Sluice reads, and do not give the key to the worker', () => {
    expect(Object.keys(variables)).to.include.members(Object.keys(CONFIG));
    expect(secretsOf('worker')).to.deep.equal(['REDIS_URL', 'MONGO_URL']);
  });

  for (const part of PARTS)
    it(`give each part the secrets that it reads, and no others: ${part}`, () => {
      const secrets = new Set(PARTS.flatMap(secretsOf));
      const read = Object.keys(READS[part]).filter((name) => secrets.has(name));
      expect(secretsOf(part)).to.have.members(read);
    });

  it('mount each secret that a part reads as a file, and no others', () => {
    for (const part of PARTS) {
      const [{ secret }] = podOf(part).volumes;
      const files = containerOf(part).env.flatMap(({ value }) => value ?? []);
      expect(
        secret.items.map(({ path }: { path: string }) => `/secrets/${path}`),
        part,
      ).to.deep.equal(files);
    }
  });

  it('let each part stop before it is killed, and serve until its endpoint is removed', () => {
    for (const part of PARTS) {
      const graceMs = Number(CONFIG.SHUTDOWN_GRACE_SECONDS) * 1000;
      expect(podOf(part).terminationGracePeriodSeconds * 1000, part).to.be.above(graceMs);
      // packages/runtime/src/http/close-server.ts shortens a longer one.
      expect(Number(CONFIG.DRAIN_MS)).to.be.at.most(graceMs / 2);
      expect(containerOf(part).readinessProbe.periodSeconds * 1000).to.be.below(Number(CONFIG.DRAIN_MS));
    }
  });

  it('have services, budgets and policies that select existing pods and ports', () => {
    const all = [...readManifests().values()].flat();
    const pods = PARTS.map((part) => manifest('Deployment', `sluice-${part}`).spec.template.metadata.labels);
    const selectors = all.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector];
      return kind === 'PodDisruptionBudget' || kind === 'Deployment' ? [spec.selector.matchLabels] : [];
    });
    for (const { spec } of all.filter(({ kind }) => kind === 'PodDisruptionBudget'))
      expect(spec.unhealthyPodEvictionPolicy, 'while Redis is away nodes can be drained').to.equal(
        'AlwaysAllow',
      );
    expect(selectors).to.have.length(PARTS.length * 2 + 2);
    for (const selector of selectors) expect(pods).to.deep.include(selector);
    for (const part of ['ingress', 'api']) {
      const [port] = manifest('Service', `sluice-${part}`).spec.ports;
      expect(containerOf(part).ports.find(({ name }) => name === port.targetPort)?.containerPort).to.equal(
        port.port,
      );
    }
    expect(CONFIG.INGRESS_URL).to.equal('http://sluice-ingress:8080');
  });

  it('give each part the label that README.md uses to restart the parts one by one', () => {
    for (const part of PARTS)
      expect(manifest('Deployment', `sluice-${part}`).metadata.labels).to.include({
        'app.kubernetes.io/component': part,
      });
  });

  for (const part of ['ingress', 'api'])
    it(`scale by CPU what has no queue: ${part}`, () => {
      const { scaleTargetRef, minReplicas } = manifest('HorizontalPodAutoscaler', `sluice-${part}`).spec;
      expect(manifest('Deployment', scaleTargetRef.name).spec).to.not.have.property('replicas');
      expect(minReplicas).to.be.above(1);
    });

  for (const part of SCALED)
    it(`scale an existing Deployment by an expression with existing metrics: ${part}`, async () => {
      const { scaleTargetRef, triggers, fallback, minReplicaCount } = scalerOf(part);
      expect(scaleTargetRef.name).to.equal(`sluice-${part}`);
      // Applying the files again must not undo the scaler's decision.
      expect(manifest('Deployment', scaleTargetRef.name).spec).to.not.have.property('replicas');
      const { query } = triggers[0].metadata;
      expect(await faultsOf(query)).to.deep.equal([]);
      // A backlog of another installation in the same Prometheus must not scale this one.
      const own = {
        label: 'namespace',
        operator: '=',
        value: CONFIG.SLUICE_NAMESPACE,
      };
      for (const { matchers } of selectedBy(query)) expect(matchers).to.deep.include(own);
      // A missing response does not mean that nothing waits, so it must not reduce the replicas.
      expect(triggers[0].metadata.ignoreNullValues).to.equal('false');
      expect(fallback.behavior).to.equal('currentReplicasIfHigher');
      expect(minReplicaCount).to.be.above(1);
    });

  it('run as a user of the image without write access', () => {
    expect(
      instructionsOf('production').some(({ name, text }) => name === 'USER' && text === 'node'),
    ).to.equal(true);
    for (const part of PARTS) {
      expect(podOf(part).securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 });
      expect(podOf(part)).to.include({ enableServiceLinks: false, automountServiceAccountToken: false });
    }
  });
});
