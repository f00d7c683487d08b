import type { ModelType } from '@modelwire/core/plugin'
import { textOf } from '../api/text-of.ts'

/** The texts of LoopBack's document about its own models and their properties. */
interface ModelText {
  readonly description?: string
  readonly properties?: Readonly<Record<string, string>>
}

const ofModels: ReadonlyMap<string, ModelText> = new Map([
  [
    'AccessToken',
    {
      properties: {
        ttl: 'time to live in seconds (2 weeks by default)',
        scopes: 'Array of scopes granted to this access token.'
      }
    }
  ],
  [
    'ACL',
    {
      properties: {
        model: 'The name of the model',
        property: 'The name of the property, method, scope, or relation'
      }
    }
  ],
  [
    'RoleMapping',
    {
      description: 'Map principals to roles',
      properties: {
        principalType:
          'The principal type, such as USER, APPLICATION, ROLE, or user model name in case of multiple user models'
      }
    }
  ]
])

/** The description of a model: LoopBack's for its own models. */
export function modelText(model: ModelType): string | undefined {
  return textOf(model.definition.description) ?? ofModels.get(model.name)?.description
}

/** LoopBack's description of a property of its own models; undefined for all others. */
export function propertyText(model: ModelType, property: string): string | undefined {
  return ofModels.get(model.name)?.properties?.[property]
}
