export { acceptedCall, asServer, callOf, optionsFor, readingWithin, serverCall } from './call.ts'
export { principalOf, type TokenFacts } from './principal-of.ts'
export { nestedCall, restrictionFor } from './restriction-for.ts'
