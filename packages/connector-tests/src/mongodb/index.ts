export { findServer, type FoundServer, whyNoRealServer } from './find-server.ts'
export { type OwnServer, startOwnServer } from './own-server.ts'
export { createTestDatabase, type TestDatabase } from './test-database.ts'
