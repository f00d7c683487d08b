import { shortName } from '@modelwire/core/plugin'
import type { DocumentedRoute } from '../api/documented-routes.ts'

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)

/** Words in camel case: `Tickets`, `prototype.__get__comments` → `ticketsPrototypeGetComments`. */
const camel = (...texts: readonly string[]): string =>
  lowered(
    texts
      .flatMap((text) => text.split(/[^A-Za-z0-9]+/))
      .map(capitalised)
      .join('')
  )

/** The names that a route may have, the shortest one first. */
function candidates({ operation, verb, path }: DocumentedRoute): string[] {
  const { model, name } = operation
  const short = camel(model.plural, shortName(name))
  const words = path.split('/').filter((part) => part !== '' && !part.startsWith('{'))
  const last = words.at(-1) ?? ''
  return [
    short,
    camel(model.plural, name),
    camel(short, 'by', verb),
    camel(short, 'by', verb, last),
    camel(short, verb, ...words)
  ]
}

/**
 * Ids of operations that are good names of functions in clients, by route: `ticketsFindById`. The other endpoints of a method have
 * their verb as well: `ticketsReplaceByIdByPost`. They depend on nothing but the routes of the model itself.
 */
export function clientNames(routes: readonly DocumentedRoute[]): ReadonlyMap<DocumentedRoute, string> {
  const taken = new Set<string>()
  return new Map(
    routes.map((route) => {
      const all = candidates(route)
      const free = all.find((name) => !taken.has(name)) ?? `${all.at(-1)}${taken.size}`
      taken.add(free)
      return [route, free]
    })
  )
}
