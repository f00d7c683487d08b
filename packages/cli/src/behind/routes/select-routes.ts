import { UnknownRoute } from '../errors.ts'
import { otherRequests, type RouteEntry } from './route-entry.ts'
import type { RouteTable } from './route-table.ts'

/** Which routes are meant. */
export interface RouteSelection {
  /** Names, endpoints such as `GET /api/Products`, or names with `*` for any characters. */
  readonly routes?: readonly string[]
  /** Every operation. What no operation answers has to be named. */
  readonly all?: boolean
}

function fits(wanted: string, { name, endpoints }: RouteEntry): boolean {
  if (name === wanted || endpoints.includes(wanted)) return true
  if (!wanted.includes('*') || name === otherRequests) return false
  const parts = wanted.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}

/**
 * The entries that are meant.
 * @throws {UnknownRoute} a name fits no route
 */
export function selectRoutes(
  { entries }: RouteTable,
  { routes = [], all = false }: RouteSelection
): readonly RouteEntry[] {
  const unknown = routes.find((wanted) => !entries.some((entry) => fits(wanted, entry)))
  if (unknown !== undefined) throw new UnknownRoute(`no route is called ${unknown}`)
  return entries.filter(
    (entry) => (all && entry.name !== otherRequests) || routes.some((wanted) => fits(wanted, entry))
  )
}
