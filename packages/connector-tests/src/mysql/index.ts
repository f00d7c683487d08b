export { type GaleraCluster, type GaleraNode, startGalera, whyNoGalera } from './galera.ts'
export { runOn } from './run-on.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
export { whyNoServer } from './why-no-server.ts'
