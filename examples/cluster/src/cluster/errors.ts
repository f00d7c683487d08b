/** The cluster cannot start, or a part of it does not do what it was told. */
export class ClusterFailed extends Error {
  readonly code = 'CLUSTER_FAILED'
}
