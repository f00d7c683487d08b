import { Type, type Static } from '@sinclair/typebox'

/** A type as written: a name (`"string"`), a list (`["string"]`), a nested object, or a constructor such as `String`. */
export const TypeReferenceSchema = Type.Unknown({
  description: 'type name, list of one type, nested properties or constructor'
})

/** One property of a model file. Database mappings (`postgresql`, `mysql`, …) are kept as they are. */
export const PropertyDefinitionSchema = Type.Object(
  {
    type: TypeReferenceSchema,
    id: Type.Optional(Type.Union([Type.Boolean(), Type.Number()])),
    generated: Type.Optional(
      Type.Union([Type.Boolean(), Type.Literal('uuid'), Type.Literal('identity')], {
        description:
          'the database makes the value; uuid: as a text, without a sequence; identity: as an identity column'
      })
    ),
    required: Type.Optional(Type.Boolean({ description: 'null, absent, "" and [] are refused' })),
    default: Type.Optional(Type.Unknown({ description: 'used where the property is absent, not where it is null' })),
    defaultFn: Type.Optional(
      Type.Union([Type.String(), Type.Unknown()], { description: 'guid, uuid, uuidv4, now, shortid or a function' })
    ),
    index: Type.Optional(Type.Unknown({ description: "true or a database's own index settings" })),
    unique: Type.Optional(Type.Boolean()),
    readOnly: Type.Optional(Type.Boolean({ description: 'clients cannot set it; code can' })),
    writeOnce: Type.Optional(Type.Boolean({ description: 'clients cannot change it once it is set; code can' })),
    fromCaller: Type.Optional(
      Type.Union([Type.Literal('userId'), Type.Literal('appId'), Type.Literal('userModel')], {
        description:
          'a record that a client creates holds the id of its user, or of its application, or the name of the model of its user; read-only'
      })
    ),
    hidden: Type.Optional(Type.Boolean({ description: 'never sent to clients' })),
    nullWhenUnusable: Type.Optional(
      Type.Boolean({ description: 'a text that is no number is stored as null, as LoopBack stores foreign keys' })
    ),
    refersTo: Type.Optional(
      Type.Object(
        { model: Type.String(), property: Type.String() },
        { description: 'whose values it holds, as relations note it for databases' }
      )
    ),
    keepsType: Type.Optional(
      Type.Boolean({ description: 'a value of another type is not converted: rules find fault with it' })
    ),
    length: Type.Optional(Type.Union([Type.Number(), Type.String()])),
    precision: Type.Optional(Type.Number()),
    scale: Type.Optional(Type.Number()),
    description: Type.Optional(Type.Unknown())
  },
  { additionalProperties: true }
)
export type PropertyDefinition = Static<typeof PropertyDefinitionSchema> & Record<string, unknown>
