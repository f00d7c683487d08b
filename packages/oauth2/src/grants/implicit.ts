import { makeGrantKind } from './grant-kind.ts'

/** A token in the answer of the authorization endpoint, which issues it. @see RFC 6749 section 4.2 */
export const implicit = makeGrantKind({
  type: 'implicit',
  title: 'Implicit',
  isDefault: false,
  isRefreshable: false,
  isLoopbackRefreshable: false
})
