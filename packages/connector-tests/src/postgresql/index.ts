export { findServer, type FoundServer } from './find-server.ts'
export { startOwnServer, type OwnServer } from './own-server.ts'
export { runOn } from './run-on.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
