import { Type, type Static } from '@sinclair/typebox'

/** One entry of `relations`. `model.relations` holds what it comes to; behaviour lives in the package relations. */
export const RelationDefinitionSchema = Type.Object(
  {
    type: Type.String({
      description: 'belongsTo, hasOne, hasMany, hasAndBelongsToMany, referencesMany, embedsOne or embedsMany'
    }),
    model: Type.Optional(Type.String({ description: 'target model' })),
    foreignKey: Type.Optional(Type.String()),
    primaryKey: Type.Optional(Type.String()),
    through: Type.Optional(Type.String({ description: 'model that joins both sides' })),
    keyThrough: Type.Optional(Type.String({ description: 'property of the through model that names the target' })),
    polymorphic: Type.Optional(Type.Unknown()),
    scope: Type.Optional(Type.Unknown()),
    properties: Type.Optional(Type.Unknown({ description: 'properties of the parent that new records get' })),
    property: Type.Optional(Type.String({ description: 'property that holds embedded records' })),
    default: Type.Optional(Type.Unknown({ description: 'embedded record of a parent that has none' })),
    invert: Type.Optional(Type.Boolean({ description: 'the polymorphic key is that of the related records' })),
    methods: Type.Optional(Type.Unknown({ description: 'functions added to the helper on records' })),
    onDelete: Type.Optional(
      Type.String({ description: 'restrict, cascade or setNull: what happens to records that refer to a deleted one' })
    ),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown()))
  },
  { additionalProperties: true }
)
export type RelationDefinition = Static<typeof RelationDefinitionSchema> & Record<string, unknown>

/** The kinds of relations. A hasMany with `through` is a `hasManyThrough`; the others are named as in definitions. */
const relationKindNames = [
  'belongsTo',
  'hasOne',
  'hasMany',
  'hasManyThrough',
  'hasAndBelongsToMany',
  'referencesMany',
  'embedsOne',
  'embedsMany'
] as const
export type RelationKindName = (typeof relationKindNames)[number]

/** Every relation type of LoopBack 3. */
export const relationTypes: ReadonlySet<string> = new Set(relationKindNames)
