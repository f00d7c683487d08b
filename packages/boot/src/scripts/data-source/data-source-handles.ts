import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import type { ModelRegistry } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'

/** The data sources behind the objects that scripts hold. */
const behind = new WeakMap<object, DataSource>()

/** Data sources that belong to no application: `app.dataSources` does not list them. */
const unlisted = new WeakSet<DataSource>()

/** Lets `view` stand for a data source wherever a script passes it. */
export function standFor(view: object, dataSource: DataSource): void {
  behind.set(view, dataSource)
}

/** The data source that a script passed; undefined for whatever else it is. */
export function dataSourceBehind(view: unknown): DataSource | undefined {
  return typeof view === 'object' && view !== null ? behind.get(view) : undefined
}

/**
 * The name by which models are attached to what a script passed: a data source, or the name of one.
 * @throws {ScriptArgumentInvalid} it is neither
 */
export function dataSourceKey(value: unknown, model: string): string {
  const key = typeof value === 'string' ? value : dataSourceBehind(value)?.name
  if (key !== undefined) return key
  throw new ScriptArgumentInvalid('a model is attached to a data source, or to the name of one', { model })
}

/** Keeps a data source from being listed. */
export function hideDataSource(dataSource: DataSource): void {
  unlisted.add(dataSource)
}

/** True where `app.dataSources` has it. */
export function isListed(dataSource: DataSource): boolean {
  return !unlisted.has(dataSource)
}

/** A name that no data source of the application has, and that no file gives one. */
export function freeName(registry: ModelRegistry, name: string): string {
  const taken = [...registry.dataSources.keys()].filter((each) => each.startsWith(`${name}#`))
  return `${name}#${taken.length + 1}`
}
