import { Type, type Static } from '@sinclair/typebox'

/** A type as written: a name (`"string"`), a list (`["string"]`), a nested object, or a constructor such as `String`. */
export const TypeReferenceSchema = Type.Unknown({
  description: 'type name, list of one type, nested properties or constructor'
})

/** One property of a model file. Database mappings (`postgresql`, `mysql`, …) are kept unchanged. */
export const PropertyDefinitionSchema = Type.Object(
  {
    type: TypeReferenceSchema,
    id: Type.Optional(Type.Union([Type.Boolean(), Type.Number()])),
    generated: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('uuid'), Type.Literal('identity')], {
        description:
          'the database generates the value; uuid: as a string, without a sequence; identity: as an identity column'
      })
    ),
    required: Type.Optional(Type.Boolean({ description: 'refuse null, absent, "" and []' })),
    nullable: Type.Optional(
      Type.Unknown({
        description: 'null is a value; true unless required or with a default. Application folders ignore it'
      })
    ),
    default: Type.Optional(
      Type.Unknown({ description: 'value used if the property is absent, but not if it is null' })
    ),
    defaultFn: Type.Optional(
      Type.Union([Type.String(), Type.Unknown()], { description: 'guid, uuid, uuidv4, now, shortid or a function' })
    ),
    index: Type.Optional(Type.Unknown({ description: 'true or database-specific index settings' })),
    unique: Type.Optional(Type.Boolean()),
    readOnly: Type.Optional(Type.Boolean({ description: 'clients cannot set it; code can' })),
    writeOnce: Type.Optional(Type.Boolean({ description: 'clients cannot change it once it is set; code can' })),
    fromCaller: Type.Optional(
      Type.Union([Type.Literal('userId'), Type.Literal('appId'), Type.Literal('userModel')], {
        description:
          "set on creation by a client to the id of its user, or of its application, or the name of its user's model; read-only"
      })
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'never sent to clients' })),
    nullWhenUnusable: Type.Optional(
      Type.Boolean({ description: 'store a non-numeric string as null, as LoopBack does for foreign keys' })
    ),
    refersTo: Type.Optional(
      Type.Object(
        { model: Type.String(), property: Type.String() },
        { description: 'property that it refers to, noted by relations for databases' }
      )
    ),
    keepsType: Type.Optional(
      Type.Boolean({ description: 'do not convert a value of another type: let validation report it' })
    ),
    length: Type.Optional(Type.Union([Type.Number(), Type.String()])),
    precision: Type.Optional(Type.Number()),
    scale: Type.Optional(Type.Number()),
    description: Type.Optional(Type.Unknown())
  },
  { additionalProperties: true }
)

/**
 * One property of a model.
 * @example
 * ```ts
 * import type { PropertyDefinition } from '@modelwire/core'
 *
 * const sku: PropertyDefinition = { type: 'string', length: 12, unique: true }
 * app.models.defineProperty('Product', 'sku', sku)
 * console.log(app.models.typeOf('Product').byName.get('sku')?.unique) // true
 * ```
 */
export type PropertyDefinition = Static<typeof PropertyDefinitionSchema> & Record<string, unknown>
