/**
 * Node's flags for ingress, worker and API. The commands of the Dockerfile, docker-compose.yml and deploy/kubernetes have the
 * same flags, as NODE_OPTIONS does not accept them. The size of the young generation is in the image's NODE_OPTIONS.
 *
 * `--no-allocation-site-pretenuring`: V8 allocates an object in the old space when most objects from that line of code
 * survived a collection. With batches of requests that is chance, and V8 keeps the decision. Without it an ingress took
 * 0.94 of the CPU and 161 MiB instead of 185 (bench/speed-tried.md).
 */
export const START_FLAGS: readonly string[] = ['--no-allocation-site-pretenuring'];
