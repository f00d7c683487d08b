import { ModelRegistry, type ModelDefinition } from '@modelwire/core'
import type { ModelType, Row } from '@modelwire/core/connector'

/** The models that every case has, each with an id of another kind. */
export interface FixtureModels {
  /** A number id made by the connector, and a property of every type. */
  readonly Item: ModelType
  /** A text id that clients choose. */
  readonly Coupon: ModelType
  /** A text id made by the connector. */
  readonly Session: ModelType
  /** Nothing declared but a number id. */
  readonly Note: ModelType
  /** Two unique indexes: `onePerPerson` over two properties, and `byNumber`. */
  readonly Member: ModelType
}

const definitions: Readonly<Record<keyof FixtureModels, ModelDefinition>> = {
  Item: {
    name: 'Item',
    properties: {
      id: { type: 'number', id: true, generated: true },
      name: 'string',
      code: { type: 'string', unique: true },
      price: { type: 'number', index: true },
      qty: 'number',
      active: 'boolean',
      added: 'date',
      tags: ['string'],
      sizes: ['number'],
      origin: { country: 'string', zone: 'number', address: { city: 'string' } },
      meta: 'object',
      place: 'geopoint',
      picture: 'buffer'
    }
  },
  Coupon: { name: 'Coupon', properties: { code: { type: 'string', id: true }, off: 'number' } },
  Session: { name: 'Session', properties: { id: { type: 'string', id: true, generated: true }, user: 'string' } },
  Note: { name: 'Note', properties: { id: { type: 'number', id: true, generated: true } } },
  Member: {
    name: 'Member',
    strict: true,
    properties: {
      id: { type: 'number', id: true, generated: true },
      person: 'string',
      club: 'number',
      number: 'number',
      role: 'string'
    },
    indexes: {
      onePerPerson: { keys: { person: 1, club: 1 }, options: { unique: true } },
      byNumber: { keys: { number: -1 }, unique: true },
      byRole: { keys: { role: 1, club: 1 } }
    }
  }
}

/** A registry with the models of the suite, not attached yet. */
export function defineFixtureModels(): { registry: ModelRegistry; models: FixtureModels } {
  const registry = new ModelRegistry()
  for (const definition of Object.values(definitions)) registry.define(definition)
  const models = {
    Item: registry.typeOf('Item'),
    Coupon: registry.typeOf('Coupon'),
    Session: registry.typeOf('Session'),
    Note: registry.typeOf('Note'),
    Member: registry.typeOf('Member')
  }
  return { registry, models }
}

/**
 * Seven items with the ids 1 to 7. Every test that a client can write finds some of them and not others; what is absent
 * in one is null or empty in another.
 */
export const items: readonly Row[] = [
  {
    name: 'Anvil',
    code: 'A1',
    price: 100,
    qty: 3,
    active: true,
    added: new Date('2020-01-01T00:00:00.000Z'),
    tags: ['iron', 'heavy'],
    sizes: [1, 2],
    origin: { country: 'SE', zone: 1, address: { city: 'Lund' } },
    meta: { a: 1, list: [{ k: 'x' }, { k: 'y' }] },
    place: { lat: 55.7, lng: 13.2 }
  },
  {
    name: 'bellows',
    code: 'B1',
    price: 45.5,
    qty: 0,
    active: false,
    added: new Date('2020-02-01T12:00:00.000Z'),
    tags: ['leather'],
    sizes: [],
    origin: { country: 'NO', zone: 2, address: { city: 'Oslo' } },
    meta: { a: '1' },
    place: { lat: 59.9, lng: 10.7 }
  },
  {
    name: 'Chisel',
    code: 'C1',
    price: 12,
    qty: 25,
    active: true,
    added: new Date('2020-03-01T00:00:00.000Z'),
    tags: [],
    sizes: [2, 3],
    origin: { country: 'SE', zone: 2, address: { city: 'Uppsala' } },
    meta: { b: null },
    place: { lat: 59.86, lng: 17.64 }
  },
  {
    name: 'Drill 10%',
    price: null,
    qty: 5,
    active: true,
    added: null,
    tags: ['iron', 'power'],
    origin: { country: 'DK' },
    place: { lat: 55.67, lng: 12.57 }
  },
  { name: 'Emery_cloth', price: 3, qty: 100, active: null, sizes: [9], meta: { a: 2 } },
  {
    name: 'File (round)',
    price: 12,
    qty: 7,
    active: false,
    added: new Date('2021-01-01T00:00:00.000Z'),
    tags: ['iron']
  },
  { price: 0, qty: -1, active: true, added: new Date('1999-12-31T23:59:59.999Z') }
]
