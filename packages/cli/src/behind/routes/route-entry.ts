import { RouteEvidence } from '../evidence/route-evidence.ts'

/** The side that answers the clients of a route: the server that was there before, or Modelwire. */
export type Owner = 'old' | 'new'

/** Why a route has its owner. */
export type Cause = 'start' | 'command' | 'page' | 'equal answers' | 'error'

/** The name of the entry for all requests that no operation answers. */
export const otherRequests = 'other'

/** An operation with all its endpoints, or all requests that no operation answers: the unit of a handover. */
export interface RouteEntry {
  /** `Product.find`, or `other`. */
  readonly name: string
  /** `GET /api/Products`. */
  readonly endpoints: readonly string[]
  /** It only reads, so that both sides may be called. */
  readonly reads: boolean
  owner: Owner
  since: Date
  cause: Cause
  /** It was handed back, and is handed over again only by a command or on the control page. */
  held: boolean
  readonly evidence: RouteEvidence
}

/** An entry whose requests the old server answers. */
export function makeEntry(name: string, endpoints: readonly string[], reads: boolean): RouteEntry {
  return {
    name,
    endpoints,
    reads,
    owner: 'old',
    since: new Date(),
    cause: 'start',
    held: false,
    evidence: new RouteEvidence()
  }
}
