import { ModelDefinitionSchema } from './model-definition.ts'
import { PropertyDefinitionSchema } from './property-definition.ts'
import { RelationDefinitionSchema } from './relation-definition.ts'

/** Keys that mean something in model files, by where they stand. There may be others: they are kept as settings. */
export const definitionWords: Readonly<Record<'model' | 'property' | 'relation', readonly string[]>> = {
  model: Object.keys(ModelDefinitionSchema.properties),
  property: Object.keys(PropertyDefinitionSchema.properties),
  relation: Object.keys(RelationDefinitionSchema.properties)
}
