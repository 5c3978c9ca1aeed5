import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Namespace, Secret, Service } from 'kubernetes-models/v1';

const MODELS = [
  Deployment,
  Service,
  PodDisruptionBudget,
  NetworkPolicy,
  HorizontalPodAutoscaler,
  Namespace,
  Secret,
];

interface Resource {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/**
 * The faults that the schemas of Kubernetes find in a resource. The schemas ignore unknown fields, so a
 * misspelt probe would never run. Here a field that the schema did not read counts as unknown.
 */
export function faultsOfResource(resource: Resource): readonly string[] {
  const { apiVersion, kind } = resource;
  const model = MODELS.find((one) => one.apiVersion === apiVersion && one.kind === kind);
  if (model === undefined) return [`no schema for ${kind} of ${apiVersion}`];
  const seen = new Set<string>();
  const instance = new model(resource as never);
  try {
    instance.validate.call(recordReads({ ...instance }, '', seen, model.prototype));
  } catch (error) {
    return [(error as Error).message];
  }
  return fieldsOf(resource, '')
    .filter((path) => !seen.has(path))
    .map((path) => `unknown field ${path}`);
}

/** The same value behind a proxy that records every field that is read. */
function recordReads<T extends object>(value: T, path: string, seen: Set<string>, prototype?: object): T {
  if (prototype !== undefined) Object.setPrototypeOf(value, prototype);
  return new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key);
      if (typeof key === 'symbol' || typeof found === 'function') return found;
      const at = `${path}/${key}`;
      seen.add(at);
      return typeof found === 'object' && found !== null ? recordReads(found, at, seen) : found;
    },
  });
}

function fieldsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = `${path}/${key}`;
    return [at, ...fieldsOf(child, at)];
  });
}
