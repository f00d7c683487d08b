import type { ModelDefinition } from '@modelwire/core'

/** What the model of things has of its own. */
type ThingParts = Pick<ModelDefinition, 'acls' | 'hidden' | 'protected' | 'properties' | 'relations'>

/** Models of shelves, of things on them and of notes on things. Anybody may do anything with shelves and notes. */
export function shelfModels({ properties, relations, ...thing }: ThingParts): readonly ModelDefinition[] {
  return [
    {
      name: 'Shelf',
      plural: 'shelves',
      properties: { title: 'string' },
      relations: { things: { type: 'hasMany', model: 'Thing', foreignKey: 'shelfId' } }
    },
    {
      name: 'Thing',
      plural: 'things',
      properties: { shelfId: 'number', ...properties },
      relations: { shelf: { type: 'belongsTo', model: 'Shelf', foreignKey: 'shelfId' }, ...relations },
      ...thing
    },
    {
      name: 'Note',
      plural: 'notes',
      relations: { thing: { type: 'belongsTo', model: 'Thing', foreignKey: 'thingId' } }
    }
  ]
}
