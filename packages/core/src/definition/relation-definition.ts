import { Type, type Static } from '@sinclair/typebox'

/** One entry of `relations`. `model.relations` contains the resolved ones; their behaviour is in the package relations. */
export const RelationDefinitionSchema = Type.Object(
  {
    type: Type.String({ description: 'kind of the relation, such as belongsTo or hasMany' }),
    model: Type.Optional(Type.String({ description: 'target model' })),
    foreignKey: Type.Optional(Type.String()),
    primaryKey: Type.Optional(Type.String()),
    through: Type.Optional(Type.String({ description: 'model that joins both sides' })),
    keyThrough: Type.Optional(Type.String({ description: 'property of the through model that names the target' })),
    polymorphic: Type.Optional(Type.Unknown()),
    scope: Type.Optional(Type.Unknown()),
    properties: Type.Optional(Type.Unknown({ description: 'properties copied from the parent to new records' })),
    property: Type.Optional(Type.String({ description: 'property that holds embedded records' })),
    default: Type.Optional(Type.Unknown({ description: 'default embedded record' })),
    invert: Type.Optional(Type.Boolean({ description: 'the polymorphic key is on the related records' })),
    methods: Type.Optional(Type.Unknown({ description: "functions added to the relation's accessor on records" })),
    onDelete: Type.Optional(
      Type.String({ description: 'restrict, cascade or setNull: what happens to records that refer to a deleted one' })
    ),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
  },
  { additionalProperties: true }
)

/**
 * One entry of `relations`.
 * @example
 * ```ts
 * import type { RelationDefinition } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 *
 * const product: RelationDefinition = { type: 'belongsTo', model: 'Product' }
 * app.models.define({ name: 'Offer', relations: { product } })
 * await app.register(rest)
 * console.log(app.models.typeOf('Offer').byName.has('productId')) // true
 * ```
 */
export type RelationDefinition = Static<typeof RelationDefinitionSchema> & Record<string, unknown>

/**
 * The types' knowledge about each kind of relation: whether it leads to a list, and which model has the key property. A
 * hasMany with `through` is a `hasManyThrough`; the others are named as in definitions. Packages that add a kind extend it.
 */
export interface RelationKindTypes {
  belongsTo: { many: false; keyOn: 'declaring' }
  hasOne: { many: false; keyOn: 'related' }
  hasMany: { many: true; keyOn: 'related' }
  hasManyThrough: { many: true }
  hasAndBelongsToMany: { many: true }
  referencesMany: { many: true }
  embedsOne: { many: false }
  embedsMany: { many: true }
}

/**
 * The kinds of relations.
 * @example
 * ```ts
 * import type { RelationKindName } from '@modelwire/core'
 *
 * const holdsKey = (kind: RelationKindName) => kind === 'belongsTo' || kind === 'referencesMany'
 * console.log(holdsKey('belongsTo'), holdsKey('hasMany')) // true false
 * ```
 */
export type RelationKindName = keyof RelationKindTypes
