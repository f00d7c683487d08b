import type { ModelRegistry } from '@modelwire/core'
import type { DataSource } from '@modelwire/core/connector'
import type { ModelType } from '@modelwire/core/plugin'
import { type DefinitionView, definitionView } from '../model/definition-view.ts'
import { typesOf } from './connector-types.ts'

/** The members of a data source for scripts about names in the database, and about its connector. */
export interface DataSourceNames {
  readonly idName: (model: string) => string | undefined
  readonly idNames: (model: string) => string[]
  readonly idProperty: (model: string) => unknown
  readonly tableName: (model: string) => string
  readonly columnName: (model: string, property: string) => string
  readonly columnNames: (model: string) => string[]
  readonly columnMetadata: (model: string, property: string) => unknown
  readonly idColumnName: (model: string) => string | undefined
  readonly getTypes: () => string[]
  readonly supportTypes: (types: string | readonly string[]) => boolean
  readonly isRelational: () => boolean
}

/** Answers LoopBack's questions about the names of a data source. @see LoopBack 3: loopback-datasource-juggler, lib/datasource.js */
export function dataSourceNames(registry: ModelRegistry, { connector }: DataSource): DataSourceNames {
  const typeOf = (model: string): ModelType => registry.typeOf(model)
  const view = (model: string): DefinitionView => definitionView(typeOf(model))
  const types = (): readonly string[] => typesOf(connector)
  return {
    idName: (model) => view(model).idName(),
    idNames: (model) => view(model).idNames(),
    idProperty: (model) => view(model).ids()[0]?.property,
    tableName: (model) => view(model).tableName(connector.name),
    columnName: (model, property) => view(model).columnName(connector.name, property),
    columnNames: (model) => view(model).columnNames(connector.name),
    columnMetadata: (model, property) => view(model).columnMetadata(connector.name, property),
    idColumnName: (model) => view(model).idColumnName(connector.name),
    getTypes: () => [...types()],
    supportTypes: (wanted) => [wanted].flat().every((type) => types().includes(type)),
    isRelational: () => types().includes('rdbms')
  }
}
