export { type GaleraCluster, type GaleraNode, startGalera, whyNoGalera } from './galera.ts'
export { type ReplicationHost, type ReplicationPair, startReplication, whyNoMariadb } from './replication.ts'
export { runOn, createTestDatabase, type TestDatabase, whyNoServer } from './run-on.ts'
