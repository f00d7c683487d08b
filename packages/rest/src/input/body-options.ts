import { defaultDataDepth } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'

/** Bytes of a body where no option says otherwise, as in LoopBack. */
export const defaultBodyLimit = '100kb'

const ByteSize = Type.Union(
  [Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\s*\\d+(\\.\\d+)?\\s*([kKmMgGtT]?[bB])?\\s*$' })],
  {
    default: defaultBodyLimit,
    unit: 'bytes',
    description: 'bytes of a body, as a number or such as 100kb; also after it was inflated'
  }
)
const Depth = Type.Integer({
  minimum: 1,
  default: defaultDataDepth,
  unit: 'levels',
  description: 'levels of objects and lists'
})

const JsonOptionsSchema = Type.Object(
  {
    limit: Type.Optional(ByteSize),
    strict: Type.Optional(
      Type.Boolean({ default: false, description: 'refuse JSON bodies that are no object or list' })
    ),
    depth: Type.Optional(Depth)
  },
  { additionalProperties: false }
)

const FormOptionsSchema = Type.Object(
  {
    limit: Type.Optional(ByteSize),
    parameters: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, unit: 'parameters', description: 'parameters of a form' })
    ),
    depth: Type.Optional(Depth)
  },
  { additionalProperties: false }
)

const XmlOptionsSchema = Type.Object(
  { limit: Type.Optional(ByteSize), depth: Type.Optional(Depth) },
  { additionalProperties: false }
)

/** How the three kinds of body are read. The names are those of LoopBack's `remoting` configuration. */
export const BodyOptionsSchema = Type.Object({
  json: Type.Optional(JsonOptionsSchema),
  urlencoded: Type.Optional(FormOptionsSchema),
  xml: Type.Optional(XmlOptionsSchema)
})
export type BodyOptions = Static<typeof BodyOptionsSchema>
