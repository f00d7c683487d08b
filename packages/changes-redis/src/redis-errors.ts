import { ChangeTransportFailed } from '@modelwire/changes'
import { whyUnreachable } from '@modelwire/core/plugin'
import type { Redis } from 'ioredis'

/** Carries out commands. @throws {ChangeTransportFailed} */
export type OnRedis = <Result>(work: (client: Redis) => Promise<Result>) => Promise<Result>

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Makes the function that carries out commands of a client; what Redis or the client says becomes an error of the transport. Without a
 * connection it says why there is none: the errors of commands name options of the client then. The original is not kept: errors of
 * the client have the arguments of the command, a password among them.
 */
export function makeOnRedis(client: Redis): OnRedis {
  const why = whyUnreachable(client)
  return async (work) => {
    try {
      return await work(client)
    } catch (error) {
      const failure = why()
      throw new ChangeTransportFailed(
        failure === undefined ? `Redis: ${textOf(error)}` : `Redis cannot be reached: ${textOf(failure)}`
      )
    }
  }
}
