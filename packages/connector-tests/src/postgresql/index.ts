export { findServer, type FoundServer, startOwnServer, type OwnServer, runOn } from './own-server.ts'
export { type Pooler, type PoolerOptions, startPooler, whyNoPooler } from './pooler.ts'
export { makeSynchronous, promote, startStandby } from './standby.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
