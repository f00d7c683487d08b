export { AddressRefused, checkPublicUrl } from './check-public-url.ts'
export { publicLookup, type ResolveName } from './public-lookup.ts'
export { readBounded } from './read-bounded.ts'
