import type { JugglerDataSource } from './juggler/data-source.ts'
import { type AnyFunction, isFunction, methodOf, partOf } from './juggler/driver.ts'
import { callWithCallback } from './juggler/with-callback.ts'

const events = [
  'on',
  'once',
  'off',
  'emit',
  'addListener',
  'removeListener',
  'removeAllListeners',
  'listeners'
] as const
const discoveries = [
  'discoverModelDefinitions',
  'discoverModelProperties',
  'discoverPrimaryKeys',
  'discoverForeignKeys',
  'discoverExportedForeignKeys'
] as const

/** What scripts find on a data source of a LoopBack connector, beside what every data source has. */
export function scriptMembers(dataSource: JugglerDataSource): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {}
  for (const name of events) members[name] = bound(dataSource, dataSource[name])
  for (const name of discoveries) if (methodOf(dataSource.connector, name)) members[name] = discovery(dataSource, name)
  for (const [name, value] of Object.entries(dataSource))
    if (isFunction(value)) members[name] = bound(dataSource, value)
  return members
}

const bound =
  (self: object, fn: unknown): AnyFunction =>
  (...args) =>
    isFunction(fn) ? fn.apply(self, args) : undefined

/** With a callback as its last argument, as the connector takes it, or a promise. */
function discovery({ connector }: JugglerDataSource, name: string): AnyFunction {
  return (...args) => {
    const fn = methodOf(connector, name)
    if (fn === undefined || isFunction(args.at(-1))) return fn?.apply(connector, args)
    return firstOf(callWithCallback(fn, connector, args))
  }
}

const firstOf = async (results: Promise<unknown>): Promise<unknown> => partOf(await results, '0')
