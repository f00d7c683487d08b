import { defaultDataDepth } from '@modelwire/core/plugin'
import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false, default: {} } as const

const ByteSize = Type.Union(
  [Type.Integer({ minimum: 0 }), Type.String({ pattern: '^\\s*\\d+(\\.\\d+)?\\s*([kKmMgGtT]?[bB])?\\s*$' })],
  {
    default: '100kb', // as in LoopBack
    unit: 'bytes',
    description: 'bytes of a body, as a number or such as 100kb; also applies after decompression'
  }
)
const Depth = Type.Integer({
  minimum: 1,
  default: defaultDataDepth,
  unit: 'levels',
  description: 'nesting levels of objects and lists'
})

const JsonOptionsSchema = Type.Object(
  {
    limit: Type.Optional(ByteSize),
    strict: Type.Optional(
      Type.Boolean({ default: false, description: 'refuse JSON bodies that are neither an object nor a list' })
    ),
    depth: Type.Optional(Depth)
  },
  closed
)

const FormOptionsSchema = Type.Object(
  {
    limit: Type.Optional(ByteSize),
    parameters: Type.Optional(
      Type.Integer({ minimum: 1, default: 1000, unit: 'parameters', description: 'parameters of a form' })
    ),
    depth: Type.Optional(Depth)
  },
  closed
)

const XmlOptionsSchema = Type.Object({ limit: Type.Optional(ByteSize), depth: Type.Optional(Depth) }, closed)

/** How the three kinds of body are parsed. The names are those of LoopBack's `remoting` configuration. */
export const BodyOptionsSchema = Type.Object({
  json: Type.Optional(JsonOptionsSchema),
  urlencoded: Type.Optional(FormOptionsSchema),
  xml: Type.Optional(XmlOptionsSchema)
})
export type BodyOptions = Static<typeof BodyOptionsSchema>

/** The options with their defaults. */
export type BodySettings = WithDefaults<typeof BodyOptionsSchema>
