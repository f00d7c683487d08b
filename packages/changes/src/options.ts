import type { WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import type { ChangeTransport } from './transport/change-transport.ts'

/** Options of `changes`. */
export const ChangesOptionsSchema = Type.Object(
  {
    pollInterval: Type.Optional(
      Type.Number({
        minimum: 0.02,
        maximum: 60,
        default: 1,
        unit: 's',
        description: 'seconds between reads of the log when no notification arrives'
      })
    ),
    retention: Type.Optional(
      Type.Number({
        minimum: 1,
        default: 604_800,
        unit: 's',
        description: 'seconds that changes are kept: a reader that was away longer misses some'
      })
    ),
    transport: Type.Optional(
      Type.Unsafe<ChangeTransport>(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'transport that carries changes to other processes, such as `redisStreams()` or `natsJetStream()`: only one process then reads the log, instead of each'
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
