import { ScriptArgumentInvalid } from '../../errors.ts'
import type { ModelRegistry } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'

/** The data sources behind the objects that scripts hold. */
const behind = new WeakMap<object, DataSource>()

/** Data sources that belong to no application: `app.dataSources` does not list them. */
const unlisted = new WeakSet<DataSource>()

/** Lets `view` represent a data source wherever a script passes it. */
export function standFor(view: object, dataSource: DataSource): void {
  behind.set(view, dataSource)
}

/** The data source of a view passed by a script; undefined for anything else. */
export function dataSourceBehind(view: unknown): DataSource | undefined {
  return typeof view === 'object' && view !== null ? behind.get(view) : undefined
}

/**
 * The name for attaching models to a value passed by a script: a data source, or the name of one.
 * @throws {ScriptArgumentInvalid} it is neither
 */
export function dataSourceKey(value: unknown, model: string): string {
  const key = typeof value === 'string' ? value : dataSourceBehind(value)?.name
  if (key !== undefined) return key
  throw new ScriptArgumentInvalid('a model must be attached to a data source or its name', { model })
}

/** Keeps a data source from being listed. */
export function hideDataSource(dataSource: DataSource): void {
  unlisted.add(dataSource)
}

/** True if `app.dataSources` contains it. */
export function isListed(dataSource: DataSource): boolean {
  return !unlisted.has(dataSource)
}

/** A name that neither the application's data sources nor its files use. */
export function freeName(registry: ModelRegistry, name: string): string {
  const taken = [...registry.dataSources.keys()].filter((each) => each.startsWith(`${name}#`))
  return `${name}#${taken.length + 1}`
}
