export { findServer, type FoundServer, whyNoRealServer, whyNoReplicaSet } from './find-server.ts'
export { startMongod, whyNoMongod } from './mongod.ts'
export { type OwnServer, type OwnServerOptions, startOwnServer } from './own-server.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
