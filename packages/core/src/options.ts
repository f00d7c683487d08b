import { Type, type Static } from '@sinclair/typebox'
import type { Connector } from './connector/connector.ts'
import type { ModelDefinition } from './definition/model-definition.ts'
import type { RegistryOptions } from './registry.ts'

/** The options of `modelwire` that are plain data. */
export const CoreOptionsSchema = Type.Object({
  version: Type.Optional(
    Type.Union([Type.Literal(2), Type.Literal(3)], { default: 3, description: 'major version of the wire protocol' })
  ),
  compat: Type.Optional(
    Type.Boolean({ default: false, description: 'answer like LoopBack where its answers help nobody' })
  )
})

/** A connector, alone or with the settings that scripts may read. */
export type DataSourceOption =
  | Connector
  | { readonly connector: Connector; readonly settings?: Readonly<Record<string, unknown>> }

/** Options of the plugin `modelwire`. */
export type CoreOptions = Static<typeof CoreOptionsSchema> &
  Pick<RegistryOptions, 'modelBase' | 'callMethod'> & {
    /** Data sources by name. A model without a `dataSource` gets the only one, where there is one. */
    readonly dataSources?: Readonly<Record<string, DataSourceOption>>
    /** Models in any order: bases are defined before the models that extend them. */
    readonly models?: readonly ModelDefinition[] | Readonly<Record<string, ModelDefinition>>
  }
