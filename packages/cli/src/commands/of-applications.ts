/** The commands that read an application and write what they found: small, and loaded together. */
export { defineAccess } from './access.ts'
export { defineCheck } from './check.ts'
export { defineDiscover } from './discover.ts'
export { defineHandover } from './handover.ts'
export { defineOpenapi } from './openapi.ts'
export { defineRoutes } from './routes.ts'
export { defineSeed } from './seed.ts'
export { defineTypes } from './types.ts'
