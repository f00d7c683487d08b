import type { WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { ChangeTransport } from './transport/change-transport.ts'

/** Options of `changes`. */
export const ChangesOptionsSchema = Type.Object(
  {
    pollInterval: Type.Optional(
      Type.Number({
        minimum: 0.02,
        maximum: 60,
        default: 0.5,
        unit: 's',
        description:
          'seconds after which the log is looked at again, where nothing says that there is something new in it'
      })
    ),
    retention: Type.Optional(
      Type.Number({
        minimum: 1,
        default: 604_800,
        unit: 's',
        description: 'seconds that changes are kept: a reader that was away longer has missed some'
      })
    ),
    transport: Type.Optional(
      Type.Unsafe<ChangeTransport>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'what carries the changes to other processes, such as `redisStreams()` or `natsJetStream()`: one process reads the log then, and not each of them'
          }
        )
      )
    )
  },
  { additionalProperties: false }
)

/** Options of `changes`. */
export type ChangesOptions = Static<typeof ChangesOptionsSchema>

/** The options with their defaults. */
export type ChangesSettings = WithDefaults<typeof ChangesOptionsSchema>
