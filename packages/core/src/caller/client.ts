import { defaultQueryLimits, type QueryLimits } from '../limits/query-limits.ts'
import type { Principal } from './principal.ts'

/** The client of a request, from outside the server: one object for each request. */
export class Client {
  readonly principal: Principal | undefined
  /** The token that the request was sent with. */
  readonly accessToken: object | undefined
  /** Bounds of the filters that the request may hold. */
  readonly limits: QueryLimits

  constructor(principal: Principal | undefined, accessToken: object | undefined, limits = defaultQueryLimits) {
    this.principal = principal
    this.accessToken = accessToken
    this.limits = limits
  }

  /** A copy of the client whose rights are determined anew. */
  again(): Client {
    return new Client(this.principal, this.accessToken, this.limits)
  }
}
