import type { AnyFunction } from './driver.ts'

/**
 * Stands for a method of data access in `DataAccessObject`. Connectors whose models are to have data access copy these; the
 * models have methods of their own, which reach the connector by a collection.
 */
const makeStandIn = (name: string): AnyFunction =>
  function () {
    throw new TypeError(`${name} is a method of models`)
  }

const names = ['create', 'find', 'findById', 'findOne', 'count', 'updateAll', 'destroyAll', 'updateOrCreate', 'exists']

/** The stand-ins by name. */
export const dataAccessNames: Readonly<Record<string, AnyFunction>> = Object.fromEntries(
  names.map((name) => [name, makeStandIn(name)])
)

const standIns: ReadonlySet<unknown> = new Set(Object.values(dataAccessNames))

/** True for what `DataAccessObject` of a connector has from LoopBack's default. */
export const isDataAccess = (fn: unknown): boolean => standIns.has(fn)
